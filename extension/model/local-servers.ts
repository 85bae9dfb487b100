import { askServer, canChat, readModelList, type ListPorts } from './model-list.ts';

/** Where a server of this name stands unless it was told otherwise. */
export interface LocalAddress {
  readonly name: string;
  readonly baseUrl: string;
}

/** One that answers. */
export interface LocalServer extends LocalAddress {
  /** Empty where it wants a key first. */
  readonly models: readonly string[];
}

/** By number, not by name: `localhost` may be another address first. */
export const localAddresses: readonly LocalAddress[] = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
];

const deadlineMs = 1000;

/**
 * Which of these addresses has a model server now: asked all at once, in the order given. Whatever else may stand there, a web server in
 * development, is passed over. The machine is the one that the extension runs on.
 */
export async function findLocalServers(ports: Pick<ListPorts, 'timer' | 'signal'>, addresses: readonly LocalAddress[] = localAddresses): Promise<readonly LocalServer[]> {
  const found = await Promise.all(addresses.map(async (address): Promise<LocalServer | null> => {
    const asked = await askServer({ protocol: 'openai-chat', baseUrl: address.baseUrl }, '/models', undefined, { ...ports, deadlineMs });
    if (asked.kind === 'status' && asked.status === 401) return { ...address, models: [] };
    const models = asked.kind === 'answered' ? readModelList(asked.body) : null;
    return models === null ? null : { ...address, models: models.filter(canChat) };
  }));
  return found.filter((server) => server !== null);
}
