import * as vscode from 'vscode';
import { capabilitiesOf, type CapabilityTable } from '../model/capabilities.ts';
import type { ModelCapabilities } from '../model/model-client.ts';
import { shortId } from '../model/profile.ts';

/** A model of the editor's own, such as those of GitHub Copilot: nothing has to be set up for it. */
export interface EditorModel {
  readonly id: string;
  /** `GPT-5` */
  readonly label: string;
  /** `GitHub Copilot` */
  readonly detail: string;
  readonly chat: vscode.LanguageModelChat;
}

const mostModels = 90;

/** Those that can call tools, as far as the editor says. Asking may start the extensions that provide them. */
export async function findEditorModels(): Promise<readonly EditorModel[]> {
  const chats = await vscode.lm.selectChatModels();
  const models = new Map<string, EditorModel>();
  for (const chat of chats) {
    if (saidOf(chat, 'supportsToolCalling') === false) continue;
    const id = shortId(`editor:${chat.vendor}/${chat.id}`);
    // One may be offered twice, under two groups: the first stands for both.
    if (!models.has(id)) models.set(id, { id, label: chat.name === '' ? chat.id : chat.name, detail: vendorName(chat.vendor), chat });
  }
  return [...models.values()].slice(0, mostModels);
}

/** What the editor says counts; of the rest, the family tells. */
export function capabilitiesOfEditorModel(chat: vscode.LanguageModelChat, extension: CapabilityTable): ModelCapabilities {
  const family = capabilitiesOf({ protocol: 'editor', baseUrl: '', model: chat.family }, extension);
  return {
    ...family, thinking: false, images: saidOf(chat, 'supportsImageToText') ?? family.images,
    contextTokens: chat.maxInputTokens > 0 ? chat.maxInputTokens : family.contextTokens, outputTokens: Math.min(family.outputTokens, 8192),
  };
}

/** The editor has more to say of a model than its published interface shows; where it does not, this is undefined. */
function saidOf(chat: object, name: 'supportsToolCalling' | 'supportsImageToText'): boolean | undefined {
  if (!('capabilities' in chat) || typeof chat.capabilities !== 'object' || chat.capabilities === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(chat.capabilities, name)?.value;
  return typeof value === 'boolean' ? value : undefined;
}

function vendorName(vendor: string): string {
  return vendor === 'copilot' ? 'GitHub Copilot' : vendor === '' ? 'this editor' : vendor;
}
