import assert from 'node:assert/strict';
import { commands, extensions, type Extension } from 'vscode';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

function countersign(): Extension<unknown> {
  const extension = extensions.getExtension('countersign.countersign');
  assert.ok(extension, 'the editor does not know the extension');
  return extension;
}

suite('Activation', () => {
  test('the editor finds the extension and leaves it alone until it is used', () => {
    assert.equal(countersign().isActive, false);
  });

  test('"Focus on Chat" activates it and opens the view', async () => {
    await commands.executeCommand('countersign.focusChat');
    assert.equal(countersign().isActive, true);
  });

  test('every command that the manifest contributes is registered', async () => {
    const manifest: Manifest = countersign().packageJSON;
    const registered = new Set(await commands.getCommands(true));
    const missing = manifest.contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  test('"Stop" where nothing runs does nothing', async () => {
    await commands.executeCommand('countersign.stop');
  });
});
