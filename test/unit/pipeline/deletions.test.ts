import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Digest, Effect } from '../../../extension/boundary/effect.ts';
import type { Run } from '../../../extension/boundary/tool-definition.ts';
import { codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost, type AnyTool } from './session-host.ts';

const allowing = { layers: [layer([{ decision: 'allow' }])] };

interface Deleting {
  readonly path?: string;
  readonly base?: Digest;
  readonly looks?: boolean;
  readonly body?: (run: Run, effect: Effect) => Promise<void>;
}

/** A tool that deletes a file that it has looked at, without asking by itself whether it is known. */
function deleting({ path = 'a.txt', base, looks = true, body = (run) => run.performAll() }: Deleting = {}): AnyTool {
  return plainTool({
    effects: async (_args, look) => {
      const located = await look.locate(path);
      const digest = looks ? (await look.read(path)).digest : sha256('old\n');
      if (digest === 'absent') throw new Error('nothing stands there');
      return { effects: [{ kind: 'delete', path: located.path, base: base ?? digest }], claims: [], content: new Map() };
    },
    execute: async (_args, run) => {
      const [effect] = run.effects;
      if (effect !== undefined) await body(run, effect);
      return 'done';
    },
  });
}

const files = { 'a.txt': 'old\n' };
const left = async (session: { world(): Promise<Readonly<Record<string, string>>> }): Promise<boolean> => 'ws/a.txt' in await session.world();

test('a deletion is performed as it was signed, and the base is kept before', async (t) => {
  const outcomes: unknown[] = [];
  const session = await sessionHost(t, { files, policy: allowing, tools: [deleting({ body: async (run, effect) => {
    if (effect.kind !== 'delete') return;
    outcomes.push(await run.perform(effect));
    await assert.rejects(run.perform(effect), /each once/);
  } })] });
  await session.read('a.txt');
  const outcome = await session.propose('plain', {});
  assert.equal(codeOf(outcome), 'well', textOf(outcome));
  assert.deepEqual([outcomes, await left(session)], [[undefined], false]);
  assert.equal(Buffer.from(await session.host.objects.get(sha256('old\n')) ?? []).toString(), 'old\n');
  const settled = session.log.events.at(-1);
  assert.deepEqual(settled?.type === 'settled' ? settled.observed : null, [{ path: session.at('a.txt'), digest: 'absent' }]);
});

test('a file that stands again where one was deleted is not known any more', async (t) => {
  const session = await sessionHost(t, { files, policy: allowing, tools: [deleting()] });
  await session.read('a.txt');
  await session.propose('plain', {});
  await writeFile(session.at('a.txt'), 'old\n');
  assert.equal(codeOf(await session.propose('plain', {})), 'FS_NOT_OBSERVED');
});

test('a file that the session does not know, or not as it is now, is not deleted; nobody is asked', async (t) => {
  const session = await sessionHost(t, { files, tools: [deleting()] });
  assert.equal(codeOf(await session.propose('plain', {})), 'FS_NOT_OBSERVED');
  assert.equal(codeOf(await session.propose('plain', {}, { origin: 'person' })), 'FS_NOT_OBSERVED');
  await session.read('a.txt');
  await writeFile(session.at('a.txt'), 'other\n');
  assert.equal(codeOf(await session.propose('plain', {})), 'FS_STALE');
  assert.deepEqual([session.asks.length, await left(session)], [0, true]);
});

for (const [what, tool] of [['was not looked at', deleting({ looks: false })], ['is another one', deleting({ base: sha256('other') })]] as const) {
  test(`a deletion whose base ${what} is denied`, async (t) => {
    const session = await sessionHost(t, { files, policy: allowing, tools: [tool] });
    await session.read('a.txt');
    const outcome = await session.propose('plain', {});
    assert.equal(codeOf(outcome), 'INVALID_EFFECTS');
    assert.match(textOf(outcome), /the base of the deletion of .*a\.txt is not what was looked at/);
    assert.ok(await left(session));
  });
}

test('after the approval the file changed: STALE_PERMIT, and it stays', async (t) => {
  const session = await sessionHost(t, { files, tools: [deleting()], answer: async () => {
    await writeFile(session.at('a.txt'), 'theirs\n');
    return { approval: 'allowed', reason: '' };
  } });
  await session.read('a.txt');
  assert.equal(codeOf(await session.propose('plain', {})), 'STALE_PERMIT');
  assert.equal((await session.world())['ws/a.txt'], 'theirs\n');
});

test('deleting package.json asks whatever a rule allows, and says why', async (t) => {
  const session = await sessionHost(t, { files: { 'package.json': '{}' }, policy: allowing, answer: 'denied', tools: [deleting({ path: 'package.json' })] });
  await session.read('package.json');
  assert.equal(codeOf(await session.propose('plain', {})), 'DENIED_BY_PERSON');
  assert.match(session.asks[0]?.content.warnings.join() ?? '', /changes the scripts of package\.json/);
  assert.deepEqual(session.asks[0]?.content.diffs.map(({ change }) => change), ['delete']);
});
