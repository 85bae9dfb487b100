import type { CallResult } from '../../../extension/boundary/result.ts';
import type { ModelMessage } from '../../../extension/model/model-client.ts';
import { historyOf } from '../../../extension/session/history.ts';
import type { LoggedProposal, LogEvent } from '../../../extension/session/records.ts';

export const proposal = (call: string, args = '{}'): LoggedProposal => ({ call, id: `wire-${call}`, name: 'read_file', arguments: args });
export const user = (turn: string, text: string): LogEvent => ({ type: 'user', turn, text });
export const assistant = (turn: string, text: string, ...calls: readonly LoggedProposal[]): LogEvent =>
  ({ type: 'assistant', turn, step: 1, text, finish: calls.length > 0 ? 'tool-calls' : 'stop', calls });
export const result = (text: string): CallResult => ({ isError: false, content: [{ type: 'text', text }], error: null });
export const settled = (call: string, text: string): LogEvent => ({ type: 'settled', call, verdict: null, approval: null, result: result(text), observed: [] });
export const ended = (turn: string): LogEvent => ({ type: 'turn-ended', turn, end: 'answered', message: '' });
export const personCall = (call: string, of: string): LogEvent => ({ type: 'person-call', proposal: proposal(call, '{"path":"a"}'), of });
export const folded = (...calls: readonly string[]): LogEvent => ({ type: 'folded', turn: 't', calls });
export const summarised = (through: number, text: string): LogEvent => ({ type: 'summarised', turn: 't', through, text });

export const brief = (events: readonly LogEvent[]): readonly string[] => historyOf(events).map(inBrief);

export function inBrief(message: ModelMessage): string {
  switch (message.role) {
    case 'tool':
      return `tool ${message.callId}: ${message.text}`;
    case 'assistant':
      return `assistant ${message.text} [${message.calls.map(({ id }) => id).join()}]`;
    case 'system':
    case 'user':
      return `${message.role}: ${message.text}`;
  }
}
