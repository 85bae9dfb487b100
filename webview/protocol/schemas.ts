import { maxImage, maxImages, maxThumbnail } from './messages.ts';

/** JSON Schemas (2020-12) of the two message unions. Compiled ahead for both ends; the view's CSP forbids compiling there. */

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const;
const id = { type: 'string', minLength: 1, maxLength: 200 } as const;
const digest = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const bool = { type: 'boolean' } as const;
const count = { type: 'integer', minimum: 0 } as const;

function record(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
const tagged = (type: string, properties: Readonly<Record<string, object>> = {}): object => record({ type: { const: type }, ...properties });
const kind = (name: string, properties: Readonly<Record<string, object>>): object => record({ kind: { const: name }, ...properties });
const list = (items: object, maxItems: number): object => ({ type: 'array', items, maxItems });
const nullable = (schema: object): object => ({ anyOf: [{ type: 'null' }, schema] });
/** One of several records, told apart by the value of `tag`; the error then names the fault of that one alone. */
const union = (tag: string, members: readonly object[]): object => ({
  type: 'object', required: [tag], discriminator: { propertyName: tag }, oneOf: members,
});

const big = 4 * 1024 * 1024;
const diffLine = record({ kind: { enum: ['context', 'added', 'removed', 'gap'] }, oldLine: count, newLine: count, text: text(20_000) });
const cardDiff = record({
  display: text(4096), change: { enum: ['create', 'edit', 'delete'] }, added: count, removed: count,
  lines: list(diffLine, 2000), truncated: bool, notes: list(text(1000), 50),
});
const card = record({
  callId: id, digest, title: text(1000), effects: list(text(10_000), 1000), diffs: list(cardDiff, 50),
  details: list(record({ label: text(200), text: text(100_000) }), 50), warnings: list(text(2000), 50), why: text(4000), rule: text(4000),
});
const question = record({ callId: id, question: text(20_000), options: list(text(1000), 20) });
const noticeAction = { enum: ['retry', 'setKey', 'openSettings', 'openLog', 'newSession', 'openFolder', 'addModel', 'useDemonstration', 'takeOver'] } as const;
const thumbnail = { type: 'string', maxLength: maxThumbnail, pattern: '^data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

const entry = union('kind', [
  kind('user', {
    id, text: text(big), images: list(record({ thumbnail, label: text(200) }), maxImages), queued: { enum: ['no', 'next-step', 'after-turn'] }, canUndoSince: bool,
  }),
  kind('assistant', { id, text: text(big), thinking: text(big), streaming: bool }),
  kind('call', {
    id, tool: text(200), title: text(1000), status: { enum: ['receiving', 'waiting', 'asking', 'running', 'done', 'failed', 'denied', 'interrupted'] },
    summary: text(2000), detail: text(200_000), card: nullable(card), question: nullable(question), canAskAgain: bool, canUndo: bool,
  }),
  kind('notice', {
    id, level: { enum: ['info', 'warning', 'error'] }, text: text(20_000),
    actions: list(record({ id: noticeAction, label: text(200) }), 10),
  }),
]);

const mode = { enum: ['plan', 'ask'] } as const;
const status = record({
  activity: { enum: ['idle', 'requesting', 'streaming', 'deciding', 'asking', 'running', 'waiting', 'stopping'] },
  text: text(2000), mode, hasWorkspace: bool, readOnly: bool,
});
const models = record({
  choices: list(record({ id, label: text(500), detail: text(500), images: bool, demonstration: bool }), 200), current: nullable(id),
});
const context = record({
  used: count, limit: count, parts: list(record({ label: text(100), tokens: count }), 20), cachedShare: nullable(share),
});
const plan = list(record({ text: text(2000), status: { enum: ['pending', 'active', 'done'] } }), 100);

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });

export const hostMessageSchema: object = { $defs: { entry, status, models, context, plan }, ...union('type', [
  tagged('state', {
    sessionId: id, entries: list(ref('entry'), 10_000), older: count, status: ref('status'), models: ref('models'), context: nullable(ref('context')), plan: ref('plan'),
    history: list(text(20_000), 100),
  }),
  tagged('older', { entries: list(ref('entry'), 10_000), older: count }),
  tagged('entry', { entry: ref('entry') }),
  tagged('remove', { id }),
  tagged('delta', { id, field: { enum: ['text', 'thinking'] }, text: text(big) }),
  tagged('status', { status: ref('status') }),
  tagged('models', { models: ref('models') }),
  tagged('context', { context: nullable(ref('context')) }),
  tagged('plan', { plan: ref('plan') }),
  tagged('focus'),
  tagged('sendRefused', { text: text(500_000), why: text(1000) }),
  tagged('answerRefused', { callId: id, why: text(1000) }),
]) };

export const viewMessageSchema: object = union('type', [
  tagged('ready'),
  tagged('send', {
    text: text(500_000), when: { enum: ['next-step', 'after-turn'] },
    images: list(record({
      mediaType: { enum: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] }, base64: { type: 'string', minLength: 4, maxLength: maxImage, pattern: '^[A-Za-z0-9+/]+={0,2}$' }, thumbnail,
    }), maxImages),
  }),
  tagged('unqueue', { id }),
  tagged('sendNow', { id }),
  tagged('stop'),
  tagged('cardShown', { callId: id, digest }),
  tagged('answer', { callId: id, digest, answer: { enum: ['allow', 'deny'] }, reason: text(10_000) }),
  tagged('reply', { callId: id, text: { type: 'string', minLength: 1, maxLength: 100_000 } }),
  tagged('openDiff', { callId: id, file: count }),
  tagged('openFile', { callId: id }),
  tagged('openLink', { url: text(4096) }),
  tagged('askAgain', { callId: id }),
  tagged('undo', { callId: id }),
  tagged('undoSince', { entryId: id }),
  tagged('setMode', { mode }),
  tagged('setModel', { id }),
  tagged('addModel'),
  tagged('loadOlder'),
  tagged('newSession'),
  tagged('showModelContext'),
  tagged('action', { id: noticeAction }),
]);
