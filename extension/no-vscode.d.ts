// What `import … from 'vscode'` means in this project: a file that is no module, so the compiler refuses it (TS2306).
// Without it the compiler would find @types/vscode by itself, whatever `types` says. The editor's own project has the real one.
