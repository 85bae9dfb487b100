/**
 * Loads a module once, and again only where that failed. In the editor's host each `import()` crosses to another thread and back, even
 * of what is loaded already: ten milliseconds before every request.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    const loading = loaded ?? load();
    loaded = loading;
    loading.catch(() => {
      if (loaded === loading) loaded = null;
    });
    return loading;
  };
}
