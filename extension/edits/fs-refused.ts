import { CodedError } from '../boundary/error-codes.ts';
import { errnoOf } from '../files/real-path.ts';

const advice: Readonly<Record<string, string>> = {
  EACCES: 'permission is missing. Ask the user to change the permissions, or choose another place',
  EPERM: 'the system does not permit it (another owner, or a file that is locked). Ask the user to change that, or choose another place',
  EROFS: 'the file system is read-only. Choose another place',
  ENOSPC: 'the disk is full. Ask the user to make room, then try again',
  EDQUOT: 'the disk quota is used up. Ask the user to make room, then try again',
  ENAMETOOLONG: 'the name is too long for the file system. Choose a shorter one',
  ENOTDIR: 'a part of the path is a file, not a folder. Choose another path',
  EISDIR: 'it is a folder, not a file. Choose another path',
  ELOOP: 'a part of the path is a link that leads in a circle. Choose another path',
  EMFILE: 'too many files are open. Try again',
  ENFILE: 'too many files are open. Try again',
  EBUSY: 'another program holds it. Ask the user to close that, then try again',
};

/** A refusal of the file system as FS_REFUSED with what to do next; any other error stays as it is. */
export function refusedByFileSystem(error: unknown, action: string): unknown {
  const errno = errnoOf(error) ?? '';
  if (error instanceof CodedError || !/^E[A-Z0-9]+$/.test(errno)) return error;
  const why = advice[errno] ?? `the file system refused (${errno})`;
  return new CodedError('FS_REFUSED', `Cannot ${action}: ${why}.`, { cause: error });
}
