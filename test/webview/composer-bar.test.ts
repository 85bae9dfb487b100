import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { composer, focusedIn, inChat, show } from './in-chat.ts';
import { context, models, noModel, plan, user } from './scenes.ts';

describe('the model menu', () => {
  inChat('marks the model that is chosen, and chooses another by keyboard', async (chat) => {
    await show(chat, []);
    await chat.page.getByRole('button', { name: 'Model: gpt-5' }).press('ArrowDown');
    assert.deepEqual(await chat.page.getByRole('menuitemradio').evaluateAll((all) => all.map((item) => [item.textContent, item.ariaChecked])), [
      ['gpt-5api.openai.com', 'true'], ['qwen3-coderthis machine · no images', 'false'], ['DemonstrationA script, nothing is sent', 'false'],
    ]);
    await chat.page.keyboard.press('q');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.postedOf('setModel'), [{ type: 'setModel', id: 'qwen' }]);
    assert.equal(await focusedIn(chat, '.model-button'), true);
    await chat.page.keyboard.press('Enter');
    await chat.page.keyboard.press('End');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.postedOf('addModel'), [{ type: 'addModel' }]);
  });

  inChat('of a hundred models scrolls, and Escape leaves it without stopping', async (chat) => {
    const choices = Array.from({ length: 100 }, (_, n) => ({ id: `m${n}`, label: `model ${n}`, detail: 'x', images: true, demonstration: false }));
    await show(chat, [user('u', 'go')], { activity: 'streaming' }, { models: { choices, current: 'm99' } });
    await chat.page.getByRole('button', { name: 'Model: model 99' }).click();
    const menu = chat.page.getByRole('menu');
    assert.equal(await menu.evaluate((box) => box.scrollHeight > box.clientHeight && box.getBoundingClientRect().top >= 0), true);
    assert.equal(await chat.page.locator('.menu-item:focus .menu-label').textContent(), 'model 99');
    await chat.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    assert.deepEqual(await chat.postedOf('stop'), []);
  });

  inChat('where none is set up leads to the demonstration and to a model of one’s own', async (chat) => {
    await show(chat, [user('u', 'x')], {}, { models: noModel });
    const button = chat.page.getByRole('button', { name: 'Set up a model', exact: true });
    await button.click();
    await chat.page.getByRole('menuitem', { name: 'Try the demonstration' }).click();
    await button.click();
    await chat.page.getByRole('menuitem', { name: 'Add a model…' }).click();
    assert.deepEqual((await chat.posted()).slice(1), [{ type: 'action', id: 'useDemonstration' }, { type: 'addModel' }]);
  });
});

describe('the empty chat', () => {
  inChat('without a model offers the demonstration first', async (chat) => {
    await show(chat, [], {}, { models: noModel });
    await chat.page.locator('.set-up').getByRole('button', { name: 'Try the demonstration' }).click();
    await chat.page.locator('.set-up').getByRole('button', { name: 'Add a model' }).click();
    assert.deepEqual(await chat.postedOf('action'), [{ type: 'action', id: 'useDemonstration' }, { type: 'action', id: 'addModel' }]);
  });

  inChat('without a folder says so, offers one, and can be used all the same', async (chat) => {
    await show(chat, [], { hasWorkspace: false });
    await chat.page.getByText('Paths are absolute then').waitFor();
    await chat.page.getByRole('button', { name: 'Open a folder' }).click();
    await composer(chat).fill('hello');
    await composer(chat).press('Enter');
    assert.deepEqual((await chat.posted()).slice(1).map(({ type }) => type), ['action', 'send']);
  });
});

describe('the context meter', () => {
  inChat('says how full the context is and, opened, what fills it', async (chat) => {
    await show(chat, [user('u', 'go')]);
    assert.equal(await chat.page.locator('.meter').count(), 0);
    await chat.sendValid({ type: 'context', context });
    await chat.page.getByRole('button', { name: 'Context: 37 % used, 74,000 of 200,000 tokens' }).click();
    const rows = await chat.page.locator('.meter-parts tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.deepEqual(rows[0], ['Tool results', '41,200', '56 %']);
    await chat.page.getByText('82 % of the last request came from the provider’s cache.').waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.page.locator('.popover').waitFor({ state: 'detached' });
    await chat.sendValid({ type: 'context', context: null });
    assert.equal(await chat.page.locator('.meter').count(), 0);
  });

  inChat('opens under the pointer and with the focus, and closes when they leave', async (chat) => {
    await show(chat, [user('u', 'go')], {}, { context });
    const popover = chat.page.locator('.popover');
    await chat.page.locator('.meter-button').hover();
    await popover.waitFor();
    await chat.page.getByText('Tool results').hover();
    assert.equal(await popover.count(), 1);
    await chat.page.mouse.move(5, 5);
    await popover.waitFor({ state: 'detached' });
    await chat.page.getByRole('button', { name: 'Model: gpt-5' }).focus();
    await chat.page.keyboard.press('Tab');
    await popover.waitFor();
    await chat.page.keyboard.press('Tab');
    await chat.page.getByRole('button', { name: 'Show what the model sees' }).press('Enter');
    await chat.page.keyboard.press('Tab');
    await popover.waitFor({ state: 'detached' });
    assert.equal((await chat.postedOf('showModelContext')).length, 1);
  });

  inChat('warns from 80 %', async (chat) => {
    await show(chat, [user('u', 'go')], {}, { context: { ...context, used: 160_000 } });
    const colour = (): Promise<string> => chat.page.locator('.ring-fill').evaluate((ring) => getComputedStyle(ring).stroke);
    const warned = await colour();
    await chat.sendValid({ type: 'context', context: { ...context, used: 159_000 } });
    assert.notEqual(await colour(), warned);
  });
});

describe('the plan', () => {
  inChat('names what is being done, opens on all of it, and is not there while there is none', async (chat) => {
    await show(chat, [user('u', 'go')]);
    assert.equal(await chat.page.locator('.plan').count(), 0);
    await chat.sendValid({ type: 'plan', plan });
    await chat.page.locator('[aria-live=polite]', { hasText: 'Plan: 2 of 5 done. Now: Make `load` return null, and log why' }).waitFor();
    const head = chat.page.getByRole('button', { name: 'Plan: 2 of 5' });
    assert.equal(await head.textContent(), 'Plan: 2 of 5Make `load` return null, and log why');
    await head.press('Enter');
    assert.deepEqual((await chat.page.locator('.plan-items li').allTextContents()).slice(1, 4), [
      'Done: Write down what each caller expects', 'Being done: Make `load` return null, and log why', 'To do: Change the two callers that relied on the error',
    ]);
    await chat.sendValid({ type: 'plan', plan: [] });
    assert.equal(await chat.page.locator('.plan').count(), 0);
  });
});

describe('a session that another window writes', () => {
  inChat('can be taken over or left, and nothing else', async (chat) => {
    await show(chat, [user('u', 'go', { canUndoSince: true })], { readOnly: true });
    await composer(chat).fill('half a thought');
    await composer(chat).press('Enter');
    await chat.page.getByText('Take it over to send this.').waitFor();
    await chat.page.getByRole('button', { name: 'Undo since here' }).dispatchEvent('click');
    assert.equal(await chat.page.getByRole('button', { name: 'Mode: Ask' }).getAttribute('aria-disabled'), 'true');
    assert.deepEqual((await chat.posted()).map(({ type }) => type), ['ready']);
    assert.equal(await composer(chat).inputValue(), 'half a thought');
    await chat.page.getByRole('button', { name: 'Take it over', exact: true }).click();
    await chat.page.getByRole('button', { name: 'New session' }).click();
    assert.deepEqual((await chat.posted()).slice(1), [{ type: 'action', id: 'takeOver' }, { type: 'newSession' }]);
  });

  inChat('is announced, and sends again once it is taken over', async (chat) => {
    await show(chat, [user('u', 'go')]);
    await chat.sendValid({ type: 'status', status: { activity: 'idle', text: '', mode: 'ask', hasWorkspace: true, readOnly: true } });
    await chat.page.locator('[aria-live=polite]', { hasText: 'This session goes on in another window.' }).waitFor();
    await composer(chat).fill('hello');
    await show(chat, [user('u', 'go')], {}, { models });
    assert.equal(await chat.page.locator('.banner').count(), 0);
    await composer(chat).press('Enter');
    assert.equal((await chat.postedOf('send')).length, 1);
  });
});
