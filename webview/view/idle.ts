import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Whether nothing runs: what waits has no turn to wait for then. */
export const IdleContext = createContext(false);
export const useIdle = (): boolean => useContext(IdleContext);
