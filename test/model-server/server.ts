import { chatWire } from './chat-wire.ts';
import { startServer, type ModelServer, type ModelServerOptions, type Script } from './serving.ts';

export type { Reply } from './replies.ts';
export { scriptOf, type ModelServer, type ModelServerOptions, type ReceivedRequest, type Script } from './serving.ts';

/** A model server on 127.0.0.1 that speaks the streaming protocol of OpenAI's chat completions and does what its script says. */
export function startModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  return startServer(chatWire, script, options);
}
