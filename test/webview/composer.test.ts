import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { composer, focusedIn, inChat, show } from './in-chat.ts';
import { call, noModel, user } from './scenes.ts';

describe('the composer', () => {
  inChat('sends with Enter and breaks the line with Shift+Enter', async (chat) => {
    await show(chat, []);
    await composer(chat).focus();
    await chat.page.keyboard.type('one');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('two');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.postedOf('send'), [{ type: 'send', text: 'one\ntwo', images: [], when: 'next-step' }]);
    assert.equal(await composer(chat).inputValue(), '');
  });

  inChat('does not send with the Enter that ends a composition', async (chat) => {
    await show(chat, []);
    await composer(chat).focus();
    const devtools = await chat.context.newCDPSession(chat.page);
    await devtools.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 });
    await devtools.send('Input.insertText', { text: '日本' });
    assert.deepEqual(await chat.postedOf('send'), []);
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.postedOf('send'), [{ type: 'send', text: '日本', images: [], when: 'next-step' }]);
  });

  inChat('keeps its draft when the page is loaded anew', async (chat) => {
    await show(chat, []);
    await composer(chat).fill('half a thought');
    await chat.page.reload();
    await chat.untilPosted('ready');
    assert.equal(await composer(chat).inputValue(), 'half a thought');
  });

  inChat('can be written in but not sent without a model, and says what to do', async (chat) => {
    await show(chat, [], {}, { models: noModel });
    await composer(chat).fill('hello');
    await composer(chat).press('Enter');
    await chat.page.getByText('Set up a model to send this.').waitFor();
    assert.deepEqual(await chat.postedOf('send'), []);
    assert.equal(await composer(chat).inputValue(), 'hello');
    await chat.page.locator('.hint').getByRole('button', { name: 'Add a model' }).click();
    assert.deepEqual(await chat.postedOf('addModel'), [{ type: 'addModel' }]);
  });

  inChat('stops with its button, and with Escape only while nothing is written', async (chat) => {
    await show(chat, [user('u', 'go')], { activity: 'streaming' });
    await composer(chat).fill('wait');
    await composer(chat).press('Escape');
    assert.deepEqual(await chat.postedOf('stop'), []);
    await composer(chat).fill('');
    await composer(chat).press('Escape');
    await chat.page.getByRole('button', { name: 'Stop' }).click();
    assert.equal((await chat.postedOf('stop')).length, 2);
  });

  inChat('sends with the next step by Enter and after the turn by Alt+Enter while the agent works', async (chat) => {
    await show(chat, [user('u', 'go')], { activity: 'streaming' });
    for (const [text, keys] of [['first', 'Enter'], ['second', 'Alt+Enter']] as const) {
      await composer(chat).fill(text);
      await composer(chat).press(keys);
    }
    assert.deepEqual((await chat.postedOf('send')).map(({ text, when }) => [text, when]), [['first', 'next-step'], ['second', 'after-turn']]);
    await show(chat, [user('u', 'go')]);
    await composer(chat).fill('third');
    await composer(chat).press('Alt+Enter');
    assert.equal((await chat.postedOf('send')).at(-1)?.when, 'next-step', 'there is no turn to wait for');
  });

  inChat('offers both, and to stop, in a menu beside its button', async (chat) => {
    await show(chat, [user('u', 'go')], { activity: 'streaming' });
    for (const item of ['Send after this turn', 'Send with the next step', 'Stop']) {
      await composer(chat).fill(item);
      await chat.page.getByRole('button', { name: 'When to send' }).click();
      await chat.page.getByRole('menuitem', { name: item }).click();
    }
    assert.deepEqual((await chat.posted()).slice(1).map((message) => (message.type === 'send' ? message.when : message.type)), ['after-turn', 'next-step', 'stop']);
    assert.equal(await composer(chat).inputValue(), 'Stop');
  });

  inChat('goes back through what was sent and forward to the draft, and never over what is written', async (chat) => {
    await show(chat, [], {}, { history: ['one', 'two\nlines'] });
    const field = composer(chat);
    await field.fill('three');
    await field.press('Enter');
    const seen: string[] = [];
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await field.press(key);
      seen.push(await field.inputValue());
    }
    assert.deepEqual(seen, ['three', 'two\nlines', 'one', 'one', 'two\nlines', 'three', '']);
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    await field.press('ArrowDown');
    assert.equal(await field.inputValue(), 'two\nlines', 'Down goes through its lines first');
    await field.press('x');
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    assert.equal(await field.inputValue(), 'two\nxlines');
  });

  inChat('has a draft for each session', async (chat) => {
    await show(chat, [user('u', 'x')], {}, { sessionId: 's1' });
    await composer(chat).fill('for the first');
    await show(chat, [user('v', 'y')], {}, { sessionId: 's2' });
    assert.equal(await composer(chat).inputValue(), '');
    await composer(chat).fill('for the second');
    await chat.page.reload();
    await chat.untilPosted('ready');
    assert.equal(await composer(chat).inputValue(), 'for the second');
    await show(chat, [user('u', 'x')], {}, { sessionId: 's1' });
    assert.equal(await composer(chat).inputValue(), 'for the first');
    await show(chat, [user('v', 'y')], {}, { sessionId: 's2' });
    assert.equal(await composer(chat).inputValue(), 'for the second');
  });

  inChat('is filled by an example, and gets the focus', async (chat) => {
    await show(chat, []);
    await chat.page.getByRole('button', { name: 'Explain how this project' }).click();
    assert.match(await composer(chat).inputValue(), /^Explain how this project/);
    assert.equal(await focusedIn(chat, '.composer'), true);
    assert.deepEqual(await chat.postedOf('send'), []);
  });

  inChat('changes the mode by keyboard', async (chat) => {
    await show(chat, []);
    await chat.page.getByRole('button', { name: 'Mode: Ask' }).focus();
    for (const key of ['Enter', 'ArrowDown', 'Enter']) await chat.page.keyboard.press(key);
    assert.deepEqual(await chat.postedOf('setMode'), [{ type: 'setMode', mode: 'plan' }]);
    assert.equal(await focusedIn(chat, '.mode-button'), true);
  });

  inChat('gets the focus when the host wishes it', async (chat) => {
    await show(chat, [call('c', { detail: 'x' })]);
    await chat.page.locator('button.call-row').focus();
    await chat.sendValid({ type: 'focus' });
    assert.equal(await focusedIn(chat, '.composer'), true);
  });
});
