import {spawn} from 'node:child_process';
import {say} from './console.mjs';

/**
 * Runs a command to its end, with its output on our stderr. Resolves to its exit code: 127 when it cannot be
 * started, 128 when a signal ended it. `waiting` is a message that is printed every 10 s for a slow command
 * without output. `signal`, an AbortSignal, kills the command.
 */
export function runCommand(command, args, options = {}) {
  const {env = process.env, cwd, stdin = 'ignore', waiting, signal} = options;
  return new Promise((resolve) => {
    const startedAt = Date.now();
    const seconds = () => Math.round((Date.now() - startedAt) / 1000);
    const heartbeat = waiting && setInterval(() => say(`${waiting} (${seconds()} s)`), 10_000);
    const finish = (code) => {
      clearInterval(heartbeat);
      resolve(code);
    };
    const child = spawn(command, args, {cwd, env, stdio: [stdin, 2, 2], signal, killSignal: 'SIGKILL'});
    child.once('error', () => finish(127));
    child.once('exit', (code) => finish(code ?? 128));
  });
}
