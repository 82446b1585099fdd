import {Worker} from 'node:worker_threads';

/** The questions that a thread can answer, by name, each with its arguments and its answer. */
type Questions<Q> = {readonly [K in keyof Q]: {readonly about: readonly unknown[]; readonly answer: unknown}};

export interface Thread<Q extends Questions<Q>> {
  /** Asks the thread, started if necessary. Rejects when it fails or ends; the next question restarts it. */
  ask: <K extends keyof Q>(question: K, ...about: Q[K]['about']) => Promise<Q[K]['answer']>;
  /** Ends the thread at once, whatever it is doing. Questions without an answer are rejected. */
  close: () => Promise<void>;
}

interface PendingReply {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** Creates a thread that runs `file`, from the first question on. It does not keep the process alive. */
export function createThread<Q extends Questions<Q>>(file: URL): Thread<Q> {
  let running: {readonly worker: Worker; readonly asked: Map<number, PendingReply>} | undefined;
  let last = 0;

  function startWorker(): NonNullable<typeof running> {
    const worker = new Worker(file, {resourceLimits: {maxOldGenerationSizeMb: 256}});
    const asked = new Map<number, PendingReply>();
    const started = {worker, asked};
    const end = (error: Error): void => {
      if (running === started) running = undefined;
      for (const {reject} of asked.values()) reject(error);
      asked.clear();
    };
    worker.on('message', ({id, answer, error}: {id: number; answer?: unknown; error?: string}) => {
      const waiting = asked.get(id);
      asked.delete(id);
      if (asked.size === 0) worker.unref();
      if (error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(`the thread failed: ${error}`));
    });
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread has ended')));
    running = started;
    return started;
  }

  return {
    ask(question, ...about) {
      const {worker, asked} = running ?? startWorker();
      const id = ++last;
      // While a question waits for its answer, the process must stay alive.
      worker.ref();
      return new Promise((resolve, reject) => {
        asked.set(id, {resolve, reject});
        worker.postMessage({id, question, about}, []);
      });
    },
    async close() {
      const ending = running;
      running = undefined;
      await ending?.worker.terminate();
    },
  };
}
