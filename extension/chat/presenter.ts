import type { Origin } from '../boundary/call.ts';
import type { Json } from '../boundary/json.ts';
import { parseStrictJson } from '../boundary/strict-json.ts';
import type { RegisteredTool, Registry } from '../boundary/registry.ts';
import type { CallResult } from '../boundary/result.ts';
import type { CallPresentation, CardPart } from '../boundary/tool-definition.ts';

/** Draws calls by their tools' presenters, and generically where there is none, or it fails: a presenter can never stop a call. */
export interface Presenter {
  call(tool: string, argumentsText: string, origin?: Origin): CallPresentation;
  /** A few words beside the title; empty where there is nothing to say. */
  result(tool: string, argumentsText: string, result: CallResult, origin?: Origin): string;
}

export function createPresenter(registry: Registry): Presenter {
  return {
    call: (tool, text, origin) => attempt(() => {
      const found = registry.resolve(tool, origin);
      const { presentCall } = found.definition;
      return presentCall === undefined ? undefined : checkedCall(presentCall(argumentsOf(found, text)));
    }) ?? { title: tool === '' ? 'A call without a name' : tool.slice(0, 200), parts: [] },
    result: (tool, text, result, origin) => attempt(() => {
      const found = registry.resolve(tool, origin);
      const { presentResult } = found.definition;
      return presentResult === undefined ? undefined : checkedText(presentResult(argumentsOf(found, text), result).summary);
    }) ?? '',
  };
}

/** Only arguments that the tool would accept are shown by it. */
function argumentsOf(tool: RegisteredTool, text: string): Json {
  const value = parseStrictJson(text.trim() === '' ? '{}' : text);
  const [violation] = tool.validateArguments(value);
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
