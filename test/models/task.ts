import type { TestContext } from 'node:test';
import { createAgent } from '../../extension/agent/loop.ts';
import type { AgentEvent } from '../../extension/agent/events.ts';
import { createPipeline } from '../../extension/pipeline/pipeline.ts';
import { call, propose, say, type Reply } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { capabilities } from '../unit/model/clients.ts';
import { networkClientOf } from '../unit/model/network-clients.ts';
import { sessionHost } from '../unit/pipeline/session-host.ts';
import type { ProtocolUnderTest } from './protocols.ts';

const files = {
  'src/price.ts': 'export const VAT = 0.19;\nexport const gross = (net: number): number => net * (1 + VAT);\n',
  'src/shop.ts': "import { VAT } from './price.ts';\nconsole.log(VAT);\n",
  'README.md': 'VAT is 19 %.\n',
};

/** Two reads at once, a search, arguments that are wrong, an edit, one that the person denies, and the end. Each step thinks. */
const replies: readonly Reply[] = [
  { ...propose(call('read_file', { path: 'src/price.ts' }), call('read_file', { path: 'src/shop.ts' })), text: ['I look at ', 'both – grün 🌍.'], reasoning: 'Where is VAT?' },
  { ...propose(call('search_text', { query: 'VAT', include: ['**/*.md'] })), reasoning: 'Elsewhere too?' },
  { ...propose(call('edit_file', { path: 7, edits: [] })), reasoning: 'The edit.' },
  { ...propose(call('edit_file', { path: 'src/price.ts', edits: [{ oldText: '0.19', newText: '0.2' }] })), reasoning: 'Once more.' },
  { ...propose(call('write_file', { path: 'src/new.ts', content: 'export {};\n' })), reasoning: 'A new file.', usage: { input: 900, cachedInput: 800, output: 30 } },
  { ...say('VAT is 20 % now; you did not want the new file.'), reasoning: 'That is all.' },
];

/** What a person and a model see of a session, without what each run makes anew. */
export interface TaskOutcome {
  readonly ended: string;
  readonly answers: readonly { readonly text: string; readonly thinking: string; readonly finish: string; readonly calls: readonly { readonly name: string; readonly arguments: unknown }[] }[];
  readonly results: readonly { readonly code: string | null; readonly text: string }[];
  readonly usage: unknown;
  readonly files: Readonly<Record<string, string>>;
}

/** The task by the real agent and the real pipeline, against this protocol's server. */
export async function runTask(t: TestContext, { protocol, model, start }: ProtocolUnderTest): Promise<TaskOutcome> {
  const server = await start(scriptOf(replies));
  t.after(() => server.close());
  const session = await sessionHost(t, {
    files,
    answer: ({ content }) => ({ approval: JSON.stringify(content).includes('src/new.ts') ? 'denied' : 'allowed', reason: '' }),
  });
  const client = networkClientOf(protocol, server.baseUrl, { model, thinking: 'medium', capabilities: { ...capabilities, thinking: true } });
  const events: AgentEvent[] = [];
  let ids = 0;
  const agent = createAgent({
    log: session.log, pipeline: createPipeline(session.host), client: () => client, schemas: () => session.registry.schemas(),
    systemPrompt: () => 'You are a coding agent.', random: () => 0, newId: () => `id${++ids}`, sleep: () => Promise.resolve(), onEvent: (event) => events.push(event),
  });
  agent.send({ text: 'Make VAT 20 %.', images: [] }, 'next-step');
  await agent.settled();
  const failed = events.find((event) => event.type === 'failed');
  if (failed !== undefined) throw new Error(`${protocol}: ${failed.failure.message}`);
  return {
    ended: session.log.events.flatMap((event) => (event.type === 'turn-ended' ? [event.end] : [])).join(),
    answers: session.log.events.flatMap((event) => (event.type === 'assistant' ? [{
      text: event.text, thinking: event.thinking ?? '', finish: event.finish,
      calls: event.calls.map(({ name, arguments: text }) => ({ name, arguments: JSON.parse(text) as unknown })),
    }] : [])),
    results: session.log.events.flatMap((event) => (event.type === 'settled' ? [{ code: event.result.error?.code ?? null, text: event.result.content.map(({ text }) => text).join('') }] : [])),
    usage: session.log.events.flatMap((event) => (event.type === 'assistant' ? [event.usage] : [])),
    files: await session.world(),
  };
}
