import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { CallOutcome } from '../../../extension/boundary/call.ts';
import type { Json } from '../../../extension/boundary/json.ts';
import type { ToolDefinition } from '../../../extension/boundary/tool-definition.ts';
import { ChangeLedger } from '../../../extension/session/changes.ts';
import { createUndoChanges } from '../../../extension/tools/undo-changes.ts';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost, type Session, type SessionSetup } from '../pipeline/session-host.ts';

export interface Undoing extends Session {
  readonly ledger: ChangeLedger;
  /** Proposes a call of the model's that must go well; gives its key. */
  made(name: string, args: object): Promise<string>;
  edited(path: string, oldText: string, newText: string): Promise<string>;
  /** The person's undo of these calls. */
  undo(...calls: readonly string[]): Promise<CallOutcome>;
  undone(...calls: readonly string[]): Promise<string>;
}

const removal: ToolDefinition<Json> = {
  name: 'remove', description: 'Deletes a file.', parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  output: { schema: {}, render: () => [{ type: 'text', text: 'gone' }] },
  effects: async (args, look) => {
    const { path, digest } = await look.editable((args as { readonly path: string }).path);
    if (digest === 'absent') throw new Error('nothing stands there');
    return { effects: [{ kind: 'delete', path, base: digest }], claims: [], content: new Map() };
  },
  execute: async (_args, run) => {
    await run.performAll();
    return 'gone';
  },
};

/** A session in which writing needs no answer, with the undo that a person has, and a tool of the model's that deletes. */
export async function undoing(t: TestContext, setup: SessionSetup = {}): Promise<Undoing> {
  const session = await sessionHost(t, { policy: { layers: [layer([{ effect: 'write', decision: 'allow' }, { effect: 'delete', decision: 'allow' }])] }, ...setup, tools: [removal] });
  const ledger = new ChangeLedger();
  session.log.events.forEach((event) => ledger.record(event));
  session.log.onAppend((event) => void ledger.record(event));
  session.registry.register(createUndoChanges({
    changesOf: (call) => ledger.changesOf(call), object: (digest) => session.host.objects.get(digest), display: (path) => session.roots.display(path),
  }), { for: 'person' });
  const well = (outcome: CallOutcome): string => {
    assert.equal(codeOf(outcome), 'well', textOf(outcome));
    return outcome.call;
  };
  const made: Undoing['made'] = async (name, args) => well(await session.propose(name, args));
  const undo: Undoing['undo'] = (...calls) => session.propose('undo_changes', { calls }, { origin: 'person' });
  return {
    ...session, ledger, made, undo, undone: async (...calls) => well(await undo(...calls)),
    edited: async (path, oldText, newText) => {
      await session.read(path);
      return made('edit_file', { path, edits: [{ oldText, newText }] });
    },
  };
}
