import assert from 'node:assert/strict';
import { ConfigurationTarget, EventEmitter, type Memento, type SecretStorage, type SecretStorageChangeEvent, workspace } from 'vscode';
import { ModelKeys } from '../../extension/editor/model-key.ts';
import { ModelSetup, type ModelSetupParts } from '../../extension/editor/model-setup.ts';
import type { AskOptions, PickOptions, Prompts, Step } from '../../extension/editor/model-prompts.ts';
import { readStepBudget } from '../../extension/editor/settings.ts';
import { listModels, type ListingServer } from './model-listing.ts';

const settings = () => workspace.getConfiguration('countersign');
const setModels = (models: unknown): Thenable<void> => settings().update('models', models, ConfigurationTarget.Global);
const local = (model: string): object => ({ protocol: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', model });
const idOf = (model: string): string => `openai-chat:127.0.0.1:9/${model}`;

class Memory implements Memento {
  readonly kept = new Map<string, unknown>();
  keys(): readonly string[] {
    return [...this.kept.keys()];
  }
  get(key: string): undefined;
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback?: unknown): unknown {
    return this.kept.get(key) ?? fallback;
  }
  update(key: string, value: unknown): Thenable<void> {
    this.kept.set(key, value);
    return Promise.resolve();
  }
}

class Secrets implements SecretStorage {
  readonly kept = new Map<string, string>();
  readonly #changed = new EventEmitter<SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;
  reads = 0;
  keys = () => Promise.resolve([...this.kept.keys()]);
  get = (key: string) => { this.reads += 1; return Promise.resolve(this.kept.get(key)); };
  store = (key: string, value: string) => { this.kept.set(key, value); this.#changed.fire({ key }); return Promise.resolve(); };
  delete = (key: string) => { this.kept.delete(key); this.#changed.fire({ key }); return Promise.resolve(); };
}

/** A person who answers each box by its label or by typing; a box that refuses what was typed is told to them again. */
function person(replies: readonly string[]): { readonly prompts: Prompts; readonly seen: string[] } {
  const left = [...replies];
  const seen: string[] = [];
  const next = (): string => left.shift() ?? 'ESCAPE';
  const given = <T>(reply: string, value: () => T): Step<T> => (reply === 'BACK' ? { kind: 'back' } : reply === 'ESCAPE' ? { kind: 'cancelled' } : { kind: 'given', value: value() });
  return {
    seen,
    prompts: {
      async pick<T>(options: PickOptions<T>): Promise<Step<T>> {
        const choices = [...await (options.more ?? Promise.resolve([])), ...options.choices];
        seen.push(`pick: ${choices.map(({ label, description }) => (description === undefined ? label : `${label} (${description})`)).join(', ')}`);
        const reply = next();
        return given(reply, () => {
          const choice = choices.find(({ label }) => label === reply) ?? options.typed?.(reply);
          if (choice === undefined || choice === null) throw new Error(`${reply} is no choice`);
          return choice.value;
        });
      },
      async ask(options: AskOptions): Promise<Step<string>> {
        seen.push(`ask: ${options.prompt} [${options.value}]`);
        for (;;) {
          const reply = next();
          if (reply === 'BACK' || reply === 'ESCAPE') return given(reply, () => '');
          const wrong = await options.check(reply, new AbortController().signal);
          if (wrong === null) return { kind: 'given', value: reply };
          seen.push(`refused: ${wrong}`);
        }
      },
    },
  };
}

suite('The models to choose from', () => {
  let setups: ModelSetup[] = [];
  const warned: string[] = [];

  function setup(parts: Partial<ModelSetupParts> = {}): ModelSetup {
    const made = new ModelSetup({
      secrets: new Secrets(), workspaceState: new Memory(), globalState: new Memory(), warn: (message) => warned.push(message), findLocal: () => Promise.resolve([]), ...parts,
    });
    setups.push(made);
    return made;
  }

  teardown(async () => {
    for (const made of setups) made.dispose();
    setups = [];
    warned.length = 0;
    await setModels(undefined);
    await settings().update('modelCapabilities', undefined, ConfigurationTarget.Global);
    await settings().update('agent.stepBudget', undefined, ConfigurationTarget.Global);
  });

  test('without any, only the demonstration is offered, and none is chosen', () => {
    const models = setup();
    assert.ok(models.client === null);
    assert.deepEqual(models.models(), { current: null, choices: [{ id: 'demonstration', label: 'Demonstration (a script)', detail: 'nothing is sent', images: false, demonstration: true }] });
  });

  test('the demonstration can be chosen, and is remembered for this workspace', async () => {
    const parts = { workspaceState: new Memory(), globalState: new Memory() };
    await setup(parts).useDemonstration();
    assert.equal(setup(parts).client?.label, 'Demonstration (a script)');
  });

  test('those of the settings come first, the first of them answers, and a wrong one is left out and told', async () => {
    await setModels([local('a'), { protocol: 'nonsense', model: 'x' }, local('b')]);
    const models = setup();
    assert.deepEqual(models.models().choices.map(({ id, detail }) => [id, detail.replace(/\(.*\)/, '(it)')]), [
      [idOf('a'), '127.0.0.1:9, the remote machine (it)'], [idOf('b'), '127.0.0.1:9, the remote machine (it)'], ['demonstration', 'nothing is sent'],
    ]);
    assert.equal(models.client?.label, 'a · 127.0.0.1:9');
    assert.match(warned.join(), /countersign\.models\[1\]\.protocol/);
  });

  test('settings of the wrong type are told and hide nothing', async () => {
    await setModels('gpt-5');
    await settings().update('modelCapabilities', 7, ConfigurationTarget.Global);
    assert.equal(setup().models().choices.length, 1);
    assert.match(warned.join('\n'), /countersign\.models: a list.*\n.*countersign\.modelCapabilities: an object/);
  });

  test('a choice is announced, and counts in this workspace and in new ones', async () => {
    await setModels([local('a'), local('b')]);
    const [here, everywhere] = [new Memory(), new Memory()];
    const models = setup({ workspaceState: here, globalState: everywhere });
    let changes = 0;
    models.onChanged(() => { changes++; });
    assert.equal(await models.choose(idOf('b')), true);
    assert.equal(changes, 1);
    assert.equal(models.client?.label, 'b · 127.0.0.1:9');
    assert.equal(setup({ globalState: everywhere }).models().current, idOf('b'));
    assert.equal(await models.choose('gone'), false);
  });

  test('a chosen one that is gone is not replaced by another of several without a word', async () => {
    await setModels([local('a'), local('b')]);
    const models = setup();
    await models.choose(idOf('b'));
    await setModels([local('a'), local('c')]);
    models.readSettings();
    assert.ok(models.client === null);
    await setModels([local('c')]);
    models.readSettings();
    assert.equal(models.models().current, idOf('c'));
  });

  test('the person\'s table of what models can do counts', async () => {
    await setModels([local('a')]);
    await settings().update('modelCapabilities', { a: { images: true, contextTokens: 1000 } }, ConfigurationTarget.Global);
    const models = setup();
    assert.deepEqual([models.models().choices[0]?.images, models.client?.capabilities.contextTokens], [true, 1000]);
  });

  test('models of the editor\'s own are there once they were asked for, and one that is chosen is waited for', async () => {
    const parts = { workspaceState: new Memory(), globalState: new Memory() };
    const models = setup(parts);
    await models.lookForEditorModels();
    const id = 'editor:countersign-tests/scripted';
    assert.ok(models.models().choices.some((choice) => choice.id === id));
    assert.equal(models.models().current, id);
    await models.choose(id);
    await setModels([local('a')]);
    const later = setup(parts);
    assert.ok(later.models().current === null, 'it would go to another server meanwhile');
    await later.lookForEditorModels();
    assert.equal(later.client?.label, 'Scripted · countersign-tests');
  });

  test('the step budget counts only as a whole number from 1 to 1000', async () => {
    assert.equal(readStepBudget(), 50);
    for (const [value, budget] of [[7, 7], [0, 50], [1001, 50], [1.5, 50], ['7', 50], [1000, 1000]] as const) {
      await settings().update('agent.stepBudget', value, ConfigurationTarget.Global);
      assert.equal(readStepBudget(), budget, String(value));
    }
  });

  suite('Adding one', () => {
    let server: ListingServer;
    suiteSetup(async () => { server = await listModels(['one', 'two'], 'right-key-1'); });
    suiteTeardown(() => server.close());

    test('a server of one\'s own: a wrong address and a wrong key are said in the box, the right key is stored for that server, and the model is written and chosen', async () => {
      const { prompts, seen } = person(['Another server', 'localhost', server.baseUrl, 'a key', 'wrong-key', 'right-key-1', 'two']);
      const secrets = new Secrets();
      const models = setup({ prompts, secrets });
      await models.add();
      assert.deepEqual(settings().get('models'), [{ protocol: 'openai-chat', baseUrl: server.baseUrl, model: 'two' }]);
      assert.deepEqual([...secrets.kept], [[`countersign.key:${new URL(server.baseUrl).origin}`, 'right-key-1']]);
      assert.equal(models.client?.label, `two · ${new URL(server.baseUrl).host}`);
      const refusals = seen.filter((text) => text.startsWith('refused'));
      assert.match(refusals.join('\n'), /no URL.*\n.*blank.*\n.*does not take this key \(401\)/);
      assert.equal(seen.at(-1), 'pick: one, two');
      assert.equal(models.redact('it is right-key-1!'), 'it is [the model key]!');
    });

    test('going back keeps what was typed', async () => {
      const { prompts, seen } = person(['Another server', server.baseUrl, 'right-key-1', 'BACK', 'BACK', 'BACK', 'Another server', server.baseUrl, 'right-key-1', 'a name of its own']);
      const models = setup({ prompts });
      await models.add();
      const asked = seen.filter((text) => text.startsWith('ask'));
      assert.match(asked[2] ?? '', /A key for .*\[right-key-1\]$/);
      assert.match(asked[3] ?? '', new RegExp(`The address.*\\[${server.baseUrl}\\]$`));
      assert.match(models.client?.label ?? '', /^a name of its own/);
    });

    test('giving up at any step writes nothing', async () => {
      const replies = ['Another server', server.baseUrl, 'right-key-1', 'two'];
      for (let count = 0; count < replies.length; count++) {
        const secrets = new Secrets();
        await setup({ prompts: person([...replies.slice(0, count), 'ESCAPE']).prompts, secrets }).add();
        assert.deepEqual([...secrets.kept], []);
        assert.deepEqual(settings().get('models'), []);
      }
    });

    test('a server on this machine is offered first, says where it is, and one that needs no key goes straight to its models', async () => {
      const open = await listModels(['qwen3']);
      const { prompts, seen } = person(['Ollama', 'qwen3']);
      const models = setup({ prompts, findLocal: () => Promise.resolve([{ name: 'Ollama', baseUrl: open.baseUrl, models: ['qwen3'] }]) });
      await models.add();
      await open.close();
      assert.match(seen[0] ?? '', /^pick: Ollama \(on the remote machine \(.*\), 127\.0\.0\.1:\d+\), OpenAI/);
      assert.match(models.client?.label ?? '', /^qwen3 · /);
    });

    test('a server that does not answer can be used all the same, once that was said', async () => {
      const gone = await listModels([]);
      await gone.close();
      const { prompts, seen } = person(['Another server', gone.baseUrl, 'some-key-12', 'some-key-12', 'by hand']);
      const models = setup({ prompts });
      await models.add();
      assert.match(seen.find((text) => text.startsWith('refused')) ?? '', /Nothing answers.*press Enter again/);
      assert.match(models.client?.label ?? '', /^by hand/);
    });

    test('what stands in the settings stays, and the same model is not written twice', async () => {
      await setModels([{ odd: true }, local('a')]);
      const replies = ['Another server', server.baseUrl, 'right-key-1', 'two'];
      await setup({ prompts: person(replies).prompts }).add();
      await setup({ prompts: person(replies).prompts }).add();
      assert.deepEqual(settings().get('models'), [{ odd: true }, local('a'), { protocol: 'openai-chat', baseUrl: server.baseUrl, model: 'two' }]);
    });

    test('a setting that is no list is left as it is', async () => {
      await setModels('mine');
      await assert.rejects(setup({ prompts: person(['Another server', server.baseUrl, 'right-key-1', 'two']).prompts }).add(), /is no list/);
      assert.equal(settings().get('models'), 'mine');
    });

    test('the key of the chosen model is set after the same check, and deleted by an empty one', async () => {
      await setModels([{ protocol: 'openai-chat', baseUrl: server.baseUrl, model: 'two' }]);
      const secrets = new Secrets();
      const { prompts, seen } = person(['wrong-key', 'right-key-1']);
      await setup({ prompts, secrets }).setKey();
      assert.match(seen.join('\n'), /does not take this key/);
      assert.deepEqual([...secrets.kept.values()], ['right-key-1']);
      await setup({ prompts: person([' ']).prompts, secrets }).setKey();
      assert.deepEqual([...secrets.kept.values()], []);
    });

    test('a model is chosen from the list by name', async () => {
      await setModels([local('a'), local('b')]);
      const models = setup({ prompts: person(['b']).prompts });
      await models.pick();
      assert.equal(models.models().current, idOf('b'));
    });
  });

  test('a key is asked of the storage once, and anew when any window has changed it', async () => {
    const secrets = new Secrets();
    const keys = new ModelKeys(secrets);
    await keys.store('https://one.example/v1', ' first ');
    for (let n = 0; n < 3; n++) assert.equal(await keys.get('https://one.example/v1/models'), 'first');
    assert.equal(secrets.reads, 1);
    await secrets.store('countersign.key:https://one.example', 'second');
    assert.equal(await keys.get('https://one.example/v1'), 'second');
    await keys.delete('https://one.example/v1');
    for (let n = 0; n < 3; n++) assert.equal(await keys.get('https://one.example/v1'), undefined);
    assert.equal(secrets.reads, 3);
    keys.dispose();
  });
});
