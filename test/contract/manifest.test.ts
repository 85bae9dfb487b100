import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac?: string; readonly when?: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly order?: number }>> };
  };
}

const { contributes }: Manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'));

test('each setting has a place of its own in the list', () => {
  const orders = Object.values(contributes.configuration.properties).map(({ order }) => order);
  assert.ok(!orders.includes(undefined));
  assert.deepEqual(new Set(orders).size, orders.length, orders.join());
});

test('each key belongs to a command that there is', () => {
  const commands = contributes.commands.map(({ command }) => command);
  for (const { command } of contributes.keybindings) assert.ok(commands.includes(command), command);
});

test('a key that answers a card is none where the editor has another meaning for it: in its own chat and in the boxes of Find and Replace', () => {
  for (const command of ['countersign.allow', 'countersign.deny', 'countersign.denyWithReason']) {
    const binding = contributes.keybindings.find((known) => known.command === command);
    for (const clause of ['resource in countersign.openDiffs', '!inChat', '!findInputFocussed', '!replaceInputFocussed']) {
      assert.ok(binding?.when?.split(' && ').includes(clause), `${command}: ${clause}`);
    }
  }
});

test('the key to the chat leaves alone what the editor has on it: the models of its own chat, and on a Mac a quick fix', () => {
  const binding = contributes.keybindings.find(({ command }) => command === 'countersign.focusChat');
  assert.equal(binding?.when, '!inChatInput');
  assert.equal(binding?.mac, undefined);
});
