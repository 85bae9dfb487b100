import type { Ask, AskContent, FileDiff } from '../boundary/ask.ts';
import type { CallKey } from '../boundary/call.ts';
import { inWords } from '../boundary/in-words.ts';
import type { CallPresentation } from '../boundary/tool-definition.ts';
import type { Verdict } from '../boundary/verdict.ts';
import { makeVisible } from '../edits/visible.ts';
import type { Card, CardDiff } from '../../webview/protocol/state.ts';

export interface AskRecord {
  readonly call: CallKey;
  readonly digest: Ask['digest'];
  readonly verdict: Verdict;
  readonly content: AskContent;
}

/** What a card shows of an ask: a pure function of what the log holds of it. */
export function cardOf(asked: AskRecord, presentation: CallPresentation): Card {
  const { effects, claims, diffs, warnings } = asked.content;
  return {
    callId: asked.call, digest: asked.digest, title: line(presentation.title, 500),
    effects: [...effects, ...claims].slice(0, 1000).map((effect) => line(inWords(effect), 5000)),
    diffs: diffs.slice(0, 50).map(diffOf),
    details: presentation.parts.slice(0, 50).map((part) => ({ label: part.kind === 'code' ? line(part.label, 200) : '', text: line(part.kind === 'path' ? part.display : part.text, 50_000) })),
    warnings: warnings.slice(0, 50).map((warning) => line(warning, 2000)),
    ...reasonOf(asked.verdict),
  };
}

function reasonOf(verdict: Verdict): { readonly why: string; readonly rule: string } {
  if (verdict.decidedBy === 'no rule') return { why: 'No rule of yours allows this, so you decide.', rule: '' };
  return { why: `${sentence(verdict.reason)}.`, rule: line(verdict.decidedBy, 1000) };
}

function diffOf(diff: FileDiff): CardDiff {
  return {
    display: line(diff.display, 4096), change: diff.change, added: diff.added, removed: diff.removed, truncated: diff.truncated,
    lines: diff.lines.slice(0, 2000).map(({ kind, oldLine, newLine, text }) => ({ kind, oldLine, newLine, text })), notes: diff.notes.slice(0, 50).map((note) => line(note, 1000)),
  };
}

/** Visible in every character, and no longer than the view takes. */
export function line(text: string, max: number): string {
  const visible = makeVisible(text.length > max * 2 ? text.slice(0, max * 2) : text);
  return visible.length > max ? `${visible.slice(0, max - 1).toWellFormed()}…` : visible.toWellFormed();
}

/** As `line`, with its line breaks: for what a person reads as a text. */
export function lines(text: string, max: number): string {
  const visible = text.slice(0, max * 2).split(/\r?\n/).map((one) => line(one, max)).join('\n');
  return visible.length > max ? `${visible.slice(0, max - 1).toWellFormed()}…` : visible;
}

function sentence(text: string): string {
  const trimmed = line(text, 2000).replace(/\.$/, '');
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}
