import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostToSay, webUrl } from '../../../../webview/markdown/link-policy.ts';

test('web addresses are offered, as the browser reads them', () => {
  assert.equal(webUrl('https://example.com/a?b=c#d'), 'https://example.com/a?b=c#d');
  assert.equal(webUrl('HTTP://EXAMPLE.com'), 'http://example.com/');
  assert.equal(webUrl('https://example.com\\@evil.org'), 'https://example.com/@evil.org');
});

test('a homoglyph host shows what it is', () => {
  assert.equal(webUrl('https://аpple.com/'), 'https://xn--pple-43d.com/');
});

for (const address of [
  'command:workbench.action.terminal.new', 'COMMAND:x', 'file:///etc/passwd', 'data:text/html,<script>alert(1)</script>', 'javascript:alert(1)',
  'java\nscript:alert(1)', ' javascript:alert(1)', 'vscode://file/etc/passwd', 'vscode-webview://x', 'vscode-resource:/x', 'blob:https://a/b', 'mailto:a@b.c', 'ftp://a/b',
  'src/a.ts', '/etc/passwd', '//evil.org/x', '#top', '', 'https://', 'https://user:secret@evil.org/', 'https://github.com@evil.org/',
  'https://example.com/\u202Egnp', 'https://exa\u200Bmple.com/', 'https://example.com/a b', `https://example.com/${'a'.repeat(5000)}`,
]) {
  test(`${JSON.stringify(address.slice(0, 60))} is text, not a link`, () => assert.equal(webUrl(address), null));
}

test('a link whose text names another host says where it goes', () => {
  assert.equal(hostToSay('https://github.com/login', 'https://evil.org/'), 'evil.org');
  assert.equal(hostToSay('github.com', 'https://evil.org/'), 'evil.org');
  assert.equal(hostToSay('github.com', 'https://github.com/x'), null);
  assert.equal(hostToSay('the documentation', 'https://evil.org/'), null);
});
