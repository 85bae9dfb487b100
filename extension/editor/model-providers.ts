import { defaultBaseUrls, type NetworkProtocol } from '../model/profile.ts';
import { readServerAddress } from '../model/server-address.ts';

/** A way to a model, as the flow that adds one offers it. */
export interface Provider {
  readonly label: string;
  readonly detail: string;
  readonly protocol: NetworkProtocol;
  /** Empty where the person has to say it. */
  readonly baseUrl: string;
  /** What an address of it looks like. */
  readonly example: string;
  readonly needsKey: boolean;
  /** Names that a list from the server would not have: an Azure deployment is called as its owner likes. */
  readonly namesAreOwn: boolean;
}

const known = { needsKey: true, namesAreOwn: false, example: '' } as const;

export const providers: readonly Provider[] = [
  { ...known, label: 'OpenAI', detail: 'api.openai.com', protocol: 'openai-responses', baseUrl: defaultBaseUrls['openai-responses'] },
  { ...known, label: 'Anthropic', detail: 'api.anthropic.com', protocol: 'anthropic', baseUrl: defaultBaseUrls.anthropic },
  { ...known, label: 'Google Gemini', detail: 'generativelanguage.googleapis.com', protocol: 'gemini', baseUrl: defaultBaseUrls.gemini },
  { ...known, label: 'OpenRouter', detail: 'openrouter.ai', protocol: 'openai-chat', baseUrl: 'https://openrouter.ai/api/v1' },
  { label: 'Azure OpenAI', detail: 'a resource of your own', protocol: 'openai-chat', baseUrl: '', example: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1', needsKey: true, namesAreOwn: true },
  { label: 'Another server', detail: 'any that speaks OpenAI\'s chat completions', protocol: 'openai-chat', baseUrl: '', example: 'https://models.example.com/v1', needsKey: false, namesAreOwn: false },
];

/** What is wrong with an address, or null. */
export function faultOfAddress(text: string): string | null {
  const address = readServerAddress(text);
  return 'failure' in address ? address.failure.message : null;
}
