import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { composer, focusedIn, inChat, show } from './in-chat.ts';
import { call, user } from './scenes.ts';

describe('the composer', () => {
  inChat('sends with Enter and breaks the line with Shift+Enter', async (chat) => {
    await show(chat, []);
    await composer(chat).focus();
    await chat.page.keyboard.type('one');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('two');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.postedOf('send'), [{ type: 'send', text: 'one\ntwo' }]);
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
    assert.deepEqual(await chat.postedOf('send'), [{ type: 'send', text: '日本' }]);
  });

  inChat('keeps its draft when the page is loaded anew', async (chat) => {
    await show(chat, []);
    await composer(chat).fill('half a thought');
    await chat.page.reload();
    await chat.untilPosted('ready');
    assert.equal(await composer(chat).inputValue(), 'half a thought');
  });

  inChat('can be written in but not sent without a model, and says what to do', async (chat) => {
    await show(chat, [], { modelReady: false, model: '' });
    await composer(chat).fill('hello');
    await composer(chat).press('Enter');
    await chat.page.getByText('Set up a model to send this.').waitFor();
    assert.deepEqual(await chat.postedOf('send'), []);
    assert.equal(await composer(chat).inputValue(), 'hello');
    await chat.page.locator('.hint').getByRole('button', { name: 'Set up a model' }).click();
    assert.deepEqual(await chat.postedOf('action'), [{ type: 'action', id: 'openSettings' }]);
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
