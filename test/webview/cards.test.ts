import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { allow, composer, focusedIn, inChat, show } from './in-chat.ts';
import { answer, asking, assistant, call, conversation, digestOf, editCard, outsideCard, renameCard, stateOf, status, user } from './scenes.ts';

describe('an approval card', () => {
  inChat('says that it is shown, and takes no click before it has rested', async (chat) => {
    const disabled = await chat.page.evaluate((message) => new Promise<string | null>((resolve) => {
      const click = (): void => {
        const button = document.querySelector<HTMLElement>('.card .button.primary');
        if (button === null) requestAnimationFrame(click);
        else {
          button.click();
          resolve(button.getAttribute('aria-disabled'));
        }
      };
      window.postMessage(message, '*');
      click();
    }), stateOf({ entries: [asking('c', editCard('c'))] }));
    assert.equal(disabled, 'true');
    await chat.untilRested();
    assert.deepEqual(await chat.postedOf('answer'), []);
    assert.deepEqual(await chat.postedOf('cardShown'), [{ type: 'cardShown', callId: 'c', digest: digestOf('a') }]);
    await allow(chat).click();
    assert.deepEqual(await chat.postedOf('answer'), [{ type: 'answer', callId: 'c', digest: digestOf('a'), answer: 'allow', reason: '' }]);
  });

  inChat('is answered once by a double click, and shows that the answer is on its way', async (chat) => {
    await show(chat, [asking('c', editCard('c'))]);
    await chat.untilRested();
    // Two clicks before anything is drawn anew.
    await allow(chat).evaluate((button: HTMLElement) => { button.click(); button.click(); });
    await chat.page.getByRole('button', { name: 'Sending…' }).waitFor();
    await chat.page.getByRole('button', { name: 'Sending…' }).dispatchEvent('click');
    await chat.page.getByRole('button', { name: 'Deny', exact: true }).dispatchEvent('click');
    assert.equal((await chat.postedOf('answer')).length, 1);
  });

  inChat('rests again when its digest changes, and is answered with the new one', async (chat) => {
    await show(chat, [asking('c', editCard('c'))]);
    await chat.untilRested();
    await chat.sendValid({ type: 'entry', entry: asking('c', editCard('c', { digest: digestOf('b') })) });
    await chat.untilPosted('cardShown', 2);
    assert.equal((await chat.postedOf('cardShown')).at(-1)?.digest, digestOf('b'));
    await chat.untilRested();
    await allow(chat).click();
    assert.equal((await chat.postedOf('answer'))[0]?.digest, digestOf('b'));
  });

  inChat('rests again in the very drawing that changes it', async (chat) => {
    await show(chat, [asking('c', editCard('c'))]);
    await chat.untilRested();
    const disabled = await chat.page.evaluate((message) => new Promise<string | null>((resolve) => {
      const card = document.querySelector('.card');
      if (card === null) return resolve(null);
      new MutationObserver(() => resolve(document.querySelector('.card .button.primary')?.getAttribute('aria-disabled') ?? null))
        .observe(card, { subtree: true, childList: true, characterData: true, attributes: true });
      window.postMessage(message, '*');
    }), { type: 'entry', entry: asking('c', editCard('c', { digest: digestOf('b'), title: 'Edit something else' })) });
    assert.equal(disabled, 'true');
  });

  inChat('rests again when the card before it goes away and it moves under the pointer', async (chat) => {
    await show(chat, [asking('c1', outsideCard('c1')), asking('c2', outsideCard('c2'))]);
    await chat.page.locator('.card:not(.resting)').nth(1).waitFor();
    await allow(chat).first().click();
    await chat.page.evaluate((message) => new Promise<void>((resolve) => {
      const click = (): void => {
        if (document.querySelectorAll('.card').length > 1) requestAnimationFrame(click);
        else {
          document.querySelector<HTMLElement>('.card .button.primary')?.click();
          resolve();
        }
      };
      window.postMessage(message, '*');
      click();
    }), { type: 'entry', entry: call('c1', { card: outsideCard('c1') }) });
    await chat.untilRested();
    assert.deepEqual((await chat.postedOf('answer')).map(({ callId }) => callId), ['c1']);
    await allow(chat).click();
    assert.deepEqual((await chat.postedOf('answer')).map(({ callId }) => callId), ['c1', 'c2']);
  });

  inChat('is not answered by Enter in the composer, by a focus, or by a message', async (chat) => {
    await show(chat, [asking('c', editCard('c'))], { activity: 'asking' });
    await chat.untilRested();
    await composer(chat).focus();
    await chat.page.keyboard.press('Enter');
    await chat.page.keyboard.type('yes, allow it');
    await chat.page.keyboard.press('Enter');
    await chat.sendValid({ type: 'focus' });
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.postedOf('answer'), []);
    assert.deepEqual(await chat.postedOf('send'), [{ type: 'send', text: 'yes, allow it', images: [], when: 'next-step' }]);
  });

  inChat('leaves the focus with a person who types', async (chat) => {
    await show(chat, [user('u', 'hello')]);
    await composer(chat).focus();
    await chat.page.keyboard.type('half a ');
    await chat.sendValid({ type: 'entry', entry: asking('c', editCard('c')) });
    await chat.untilRested();
    await chat.page.keyboard.type('thought');
    assert.equal(await composer(chat).inputValue(), 'half a thought');
  });

  inChat('is reached and allowed by keyboard alone', async (chat) => {
    await show(chat, [asking('c', editCard('c'))]);
    await chat.untilRested();
    await composer(chat).focus();
    await chat.page.keyboard.press('Alt+Shift+KeyA');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual((await chat.postedOf('answer')).map((message) => message.answer), ['allow']);
  });

  inChat('is left with Escape, which neither answers nor stops', async (chat) => {
    await show(chat, [asking('c', editCard('c'))], { activity: 'asking' });
    await chat.untilRested();
    // The editor listens at the window, and would stop.
    await chat.page.evaluate(() => { window.addEventListener('keydown', (event) => { document.documentElement.dataset['heard'] = event.key; }); });
    await chat.page.keyboard.press('Alt+Shift+KeyA');
    assert.equal(await focusedIn(chat, '.card'), true);
    await chat.page.keyboard.press('Escape');
    assert.equal(await focusedIn(chat, '.composer'), true);
    assert.equal(await chat.page.evaluate(() => document.documentElement.dataset['heard']), 'A');
    assert.deepEqual((await chat.posted()).filter(({ type }) => type === 'answer' || type === 'stop'), []);
  });

  inChat('is denied with a reason by keyboard alone', async (chat) => {
    await show(chat, [asking('c', editCard('c'))], { activity: 'asking' });
    await chat.untilRested();
    for (const key of ['Alt+Shift+KeyA', 'Tab', 'Tab', 'Enter']) await chat.page.keyboard.press(key);
    const reason = chat.page.getByRole('textbox', { name: 'Reason for the denial' });
    await reason.waitFor();
    await chat.page.keyboard.press('Escape');
    await reason.waitFor({ state: 'detached' });
    assert.equal(await focusedIn(chat, '.card'), true);
    await chat.page.getByRole('button', { name: 'Deny with a reason…' }).press('Enter');
    await chat.page.keyboard.type('use tabs');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('everywhere');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.postedOf('answer'), [{ type: 'answer', callId: 'c', digest: digestOf('a'), answer: 'deny', reason: 'use tabs\neverywhere' }]);
    assert.deepEqual(await chat.postedOf('stop'), []);
  });

  inChat('says why an answer did not count, and can be answered again', async (chat) => {
    await show(chat, [asking('c', editCard('c'))]);
    await chat.untilRested();
    await allow(chat).click();
    await chat.sendValid({ type: 'answerRefused', callId: 'c', why: 'The card had only just appeared.' });
    await chat.page.getByText('The card had only just appeared.').waitFor();
    await allow(chat).click();
    assert.equal((await chat.postedOf('answer')).length, 2);
  });

  inChat('is announced at once, with the way to it', async (chat) => {
    await show(chat, [user('u', 'hello')]);
    await chat.sendValid({ type: 'entry', entry: asking('c', editCard('c')) });
    await chat.page.locator('[aria-live=assertive]', { hasText: 'Approval needed: Edit src/session/store.ts. Press Alt+Shift+A to go to it.' }).waitFor();
    await chat.page.getByRole('group', { name: 'Approval needed: Edit src/session/store.ts' }).waitFor();
  });

  inChat('gives the focus on when it closes: to the next card as a whole, then to the composer', async (chat) => {
    await show(chat, [asking('c1', outsideCard('c1')), asking('c2', outsideCard('c2'))]);
    await chat.page.locator('.card:not(.resting)').nth(1).waitFor();
    await allow(chat).first().focus();
    await chat.sendValid({ type: 'entry', entry: call('c1') });
    assert.equal(await chat.page.evaluate(() => document.activeElement?.className.includes('card')), true);
    await chat.sendValid({ type: 'entry', entry: call('c2') });
    assert.equal(await focusedIn(chat, '.composer'), true);
  });

  inChat('shows the diff, what the eye cannot see, what would happen and why, and opens the whole diff', async (chat) => {
    await show(chat, [asking('c', editCard('c', { warnings: ['This file is protected.'] }))]);
    await chat.untilRested();
    for (const text of ['40 unchanged lines', 'return JSON.parse(row.body);', 'Line ends: CRLF', 'This file is protected.', 'Why it asks: No rule allows this write. (user settings)']) {
      await chat.page.getByText(text).waitFor();
    }
    await chat.page.getByText('Exactly what would happen').click();
    await chat.page.getByText('write /home/mia/shop/src/session/store.ts').waitFor();
    await chat.page.getByRole('button', { name: 'Open diff' }).click();
    await chat.page.getByRole('button', { name: 'src/session/store.ts' }).click();
    assert.deepEqual((await chat.posted()).filter(({ type }) => type.startsWith('open')), [{ type: 'openDiff', callId: 'c', file: 0 }, { type: 'openFile', callId: 'c' }]);
  });

  inChat('that is closed still shows what was shown, and can be asked again', async (chat) => {
    await show(chat, [call('c', { title: 'Edit src/a.ts', status: 'denied', summary: 'denied', card: editCard('c'), canAskAgain: true })]);
    await chat.page.getByRole('button', { name: 'Denied: Edit src/a.ts' }).click();
    await chat.page.getByText('What was shown').waitFor();
    await chat.page.getByText('return JSON.parse(row.body);').waitFor();
    assert.equal(await allow(chat).count(), 0);
    await chat.page.getByRole('button', { name: 'Ask again' }).click();
    assert.deepEqual(await chat.postedOf('askAgain'), [{ type: 'askAgain', callId: 'c' }]);
  });

  inChat('of several files has a heading for each, opens three, and the rest one by one', async (chat) => {
    await show(chat, [asking('c', renameCard('c'))]);
    await chat.untilRested();
    const headings = await chat.page.getByRole('heading', { level: 3 }).evaluateAll((all) => all.map((heading) => [heading.querySelector('.file-chip')?.textContent, heading.querySelector('.badge')?.textContent ?? '', heading.querySelector('.file-toggle')?.ariaExpanded]));
    assert.deepEqual(headings, [
      ['src/session/store.ts', '', 'true'], ['src/session/find.ts', 'New file', 'true'], ['src/session/load.ts', 'Deleted file', 'true'],
      ['src/http/auth.ts', '', 'false'], ['src/jobs/expire.ts', '', 'false'],
    ]);
    await chat.page.getByText('5 files, +5 −4').waitFor();
    assert.equal(await chat.page.locator('.diff').count(), 3);
    await chat.page.getByRole('button', { name: 'src/jobs/expire.ts' }).press('Enter');
    await chat.page.getByRole('region', { name: 'Change to src/jobs/expire.ts: 1 lines added, 1 removed' }).waitFor();
    await chat.page.getByTitle('Open the diff of src/jobs/expire.ts').click();
    assert.deepEqual(await chat.postedOf('openDiff'), [{ type: 'openDiff', callId: 'c', file: 4 }]);
  });

  inChat('of a session that goes on elsewhere answers nothing, and says why', async (chat) => {
    await show(chat, [asking('c', editCard('c'))], { activity: 'asking', readOnly: true });
    await chat.untilRested();
    for (const name of ['Allow', 'Deny', 'Deny with a reason…', 'Open diff']) await chat.page.getByRole('button', { name, exact: true }).dispatchEvent('click');
    assert.match(await allow(chat).getAttribute('title') ?? '', /^This session goes on in another window\. Take it over/);
    assert.deepEqual((await chat.posted()).map(({ type }) => type), ['ready']);
    await chat.sendValid({ type: 'status', status });
    await chat.untilPosted('cardShown');
    await chat.untilRested();
    await allow(chat).click();
    assert.equal((await chat.postedOf('answer')).length, 1);
  });

  inChat('out of sight is pointed to', async (chat) => {
    await show(chat, [...conversation, assistant('a2', answer), assistant('a3', answer)]);
    await chat.page.mouse.move(200, 300);
    await chat.page.mouse.wheel(0, -3000);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await chat.sendValid({ type: 'entry', entry: asking('c9', editCard('c9')) });
    await chat.page.getByRole('button', { name: 'Approval needed', exact: true }).waitFor();
    assert.deepEqual(await chat.postedOf('cardShown'), []);
    await chat.page.getByRole('button', { name: 'Approval needed', exact: true }).click();
    await chat.untilRested();
    assert.equal((await chat.postedOf('cardShown')).length, 1);
    assert.equal(await focusedIn(chat, '.card'), true);
  });
});

describe('a question', () => {
  const asks = call('q', { status: 'running', question: { callId: 'q', question: 'Keep it?', options: ['Keep it', 'Delete it'] } });

  inChat('is answered by one of its options, once', async (chat) => {
    await show(chat, [asks]);
    await chat.untilRested();
    await chat.page.getByRole('button', { name: 'Delete it' }).dblclick();
    assert.deepEqual(await chat.postedOf('reply'), [{ type: 'reply', callId: 'q', text: 'Delete it' }]);
  });

  inChat('is answered in words of one’s own', async (chat) => {
    await show(chat, [asks]);
    await chat.untilRested();
    await chat.page.getByRole('textbox', { name: 'Your answer' }).fill('Keep it for a week');
    await chat.page.getByRole('textbox', { name: 'Your answer' }).press('Enter');
    assert.deepEqual(await chat.postedOf('reply'), [{ type: 'reply', callId: 'q', text: 'Keep it for a week' }]);
  });
});
