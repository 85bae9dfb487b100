import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect } from '../../../extension/boundary/effect.ts';
import { type Proposal, receive } from '../../../extension/boundary/proposal.ts';
import { schemaOf } from '../../../extension/boundary/schema-of.ts';
import type { Run, ToolDefinition, ToolSchema } from '../../../extension/boundary/tool-definition.ts';
import type { Verdict } from '../../../extension/boundary/verdict.ts';
import { mint, type Permit, type Planned, redeem } from '../../../extension/gate/permit.ts';
import { digestOfEffects } from '../../../extension/gate/permit.ts';
import { policyOf } from '../gate/gates.ts';
import { aTool } from './tools.ts';

const effect: Effect = Object.freeze({ kind: 'fetch', url: 'https://example.test/', grant: sha256('') });
const policy = policyOf([{ effect: 'fetch', decision: 'allow' }]);
const verdict: Verdict = { decision: 'allow', decidedBy: 'user[0]', reason: '', rules: [], revision: policy.revision };

function planned(call: string): Planned {
  const foreseen = { effects: [effect], claims: [], content: new Map() };
  return { call, tool: 'plain', arguments: {}, foreseen, digest: digestOfEffects(foreseen), resolutions: [], bases: new Map() };
}

test('B1 receive takes text only', () => {
  const incoming = { call: 'c1', id: 'i', name: 'n' };
  // @ts-expect-error -- an object could carry a function
  assert.throws(() => receive({ ...incoming, arguments: { path: 'a', toString: () => '{}' } }));
  assert.deepEqual(receive({ ...incoming, arguments: '{"path":"a"}' }).arguments, { path: 'a' });
});

test('A11 a definition where a schema is wanted does not compile', () => {
  const sent: ToolSchema[] = [];
  const definition: ToolDefinition = aTool();
  // @ts-expect-error -- a definition is no schema: its deferLoading may be false
  sent.push(definition);
  sent.push(schemaOf(definition));
  assert.deepEqual(sent.map((schema) => 'execute' in schema), [true, false]);
});

test('A11 a tool cannot be executed, nor a proposal or a permit be made, from an object of the same shape', () => {
  const definition: ToolDefinition = aTool();
  const shape = { signal: new AbortController().signal, effects: [effect], perform: () => Promise.reject(new Error('no')), performAll: () => Promise.resolve(), progress: () => undefined };
  // @ts-expect-error -- only redeeming a permit makes a run
  const run: Run = shape;
  // @ts-expect-error -- nor can one be handed in directly
  void definition.execute({}, shape);
  // @ts-expect-error -- only minting makes a permit
  const permit: Permit = { call: 'c1', effects: [effect], digest: digestOfEffects({ effects: [effect], claims: [] }), revision: '', decidedBy: '' };
  // @ts-expect-error -- only receiving makes a proposal
  const proposal: Proposal = { call: 'c1', id: 'i', name: 'n', arguments: {} };
  assert.ok(run && permit && proposal);
});

test('A11 a real permit is redeemed once; a cast, a copy and a JSON round trip of it are refused', async () => {
  const real = mint(planned('c1'), verdict, null);
  const forged: readonly unknown[] = [{ ...real }, JSON.parse(JSON.stringify(real)), structuredClone({ ...real }), Object.create(real), new Proxy(real, {}), { call: 'c1', digest: real.digest, effects: real.effects, revision: real.revision, decidedBy: 'the person' }, {}, []];
  for (const permit of forged) await assert.rejects(redeem(permit as Permit, 'c1', () => policy, []), /was not minted here/);
  assert.equal((await redeem(real, 'c1', () => policy, [])).call, 'c1');
  await assert.rejects(redeem(real, 'c1', () => policy, []), /redeemed already/);
});

test('A11 a permit of another call is refused, and is worth nothing afterwards', async () => {
  const permit = mint(planned('c1'), verdict, null);
  await assert.rejects(redeem(permit, 'c2', () => policy, []), /belongs to another call/);
  await assert.rejects(redeem(permit, 'c1', () => policy, []), /redeemed already/);
});
