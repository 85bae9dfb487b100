import type { Json } from '../boundary/json.ts';
import { parseStrictJson } from '../boundary/strict-json.ts';
import type { Registry } from '../boundary/registry.ts';
import type { CallResult } from '../boundary/result.ts';
import type { CallPresentation, CardPart } from '../boundary/tool-definition.ts';

/** Draws calls by their tools' presenters, and generically where there is none, or it fails: a presenter can never stop a call. */
export interface Presenter {
  call(tool: string, argumentsText: string): CallPresentation;
  /** A few words beside the title; empty where there is nothing to say. */
  result(tool: string, argumentsText: string, result: CallResult): string;
}

export function createPresenter(registry: Registry): Presenter {
  return {
    call: (tool, text) => attempt(() => {
      const { presentCall } = registry.resolve(tool, 'person').definition;
      return presentCall === undefined ? undefined : checkedCall(presentCall(argumentsOf(registry, tool, text)));
    }) ?? { title: tool === '' ? 'A call without a name' : tool.slice(0, 200), parts: [] },
    result: (tool, text, result) => attempt(() => {
      const { presentResult } = registry.resolve(tool, 'person').definition;
      return presentResult === undefined ? undefined : checkedText(presentResult(argumentsOf(registry, tool, text), result).summary);
    }) ?? '',
  };
}

/** Only arguments that the tool would accept are shown by it. */
function argumentsOf(registry: Registry, tool: string, text: string): Json {
  const value = parseStrictJson(text.trim() === '' ? '{}' : text);
  const [violation] = registry.resolve(tool, 'person').validateArguments(value);
  if (violation !== undefined) throw new Error(violation.expected);
  return value;
}

/** A copy of what a presenter gave, each field read once. Throws for what cannot be drawn. */
function checkedCall({ title, parts }: CallPresentation): CallPresentation {
  return { title: checkedText(title), parts: parts.map(checkedPart) };
}

function checkedPart(part: CardPart): CardPart {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: checkedText(part.text) };
    case 'code':
      return { kind: 'code', text: checkedText(part.text), label: checkedText(part.label) };
    case 'path':
      return { kind: 'path', display: checkedText(part.display), path: checkedText(part.path) };
  }
  throw new TypeError('a part of no kind that is known');
}

function checkedText(text: unknown): string {
  if (typeof text !== 'string') throw new TypeError('text is expected');
  return text;
}

function attempt<T>(present: () => T): T | undefined {
  try {
    return present();
  } catch {
    return undefined;
  }
}
