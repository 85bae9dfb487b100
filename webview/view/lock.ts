import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Why nothing can be done to the session from here; empty where it can. */
export const LockContext = createContext('');
export const useLock = (): string => useContext(LockContext);
