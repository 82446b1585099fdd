import {Worker} from 'node:worker_threads';

/** What there are names for, by code. */
type Names = Readonly<Record<string, string>>;

/** A public holiday as the package has it: `date` begins with the day in the country, the instants tell how long it is. */
export interface PackageHoliday {
  readonly date: string;
  readonly start: Date;
  readonly end: Date;
  readonly name: string;
}

/** What the thread can be asked, and what it answers. */
interface Questions {
  load: {readonly about: readonly []; readonly answer: null};
  countries: {readonly about: readonly []; readonly answer: Names};
  states: {readonly about: readonly [country: string]; readonly answer: Names};
  regions: {readonly about: readonly [country: string, state: string]; readonly answer: Names};
  year: {
    readonly about: readonly [year: number, country: string, ...parts: string[]];
    readonly answer: readonly PackageHoliday[];
  };
}

export interface HolidayThread {
  /** Starts the thread when there is none. Rejects when it fails, or ends; the next question starts another. */
  ask<Q extends keyof Questions>(
    question: Q,
    ...about: Questions[Q]['about']
  ): Promise<Questions[Q]['answer']>;
  close(): Promise<void>;
}

interface Asked {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The thread in which `date-holidays` lives: `holiday-worker.mjs`. A process that nobody asks for holidays has none; it keeps no process alive. */
export function createHolidayThread(): HolidayThread {
  let running: {readonly worker: Worker; readonly asked: Map<number, Asked>} | undefined;
  let last = 0;

  function start(): NonNullable<typeof running> {
    const worker = new Worker(new URL('./holiday-worker.mjs', import.meta.url));
    const asked = new Map<number, Asked>();
    const started = {worker, asked};
    const end = (error: Error): void => {
      if (running === started) running = undefined;
      for (const {reject} of asked.values()) reject(error);
      asked.clear();
    };
    worker.on('message', ({id, answer, fault}: {id: number; answer?: unknown; fault?: string}) => {
      const waiting = asked.get(id);
      asked.delete(id);
      if (asked.size === 0) worker.unref();
      if (fault === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(`the package of holidays failed: ${fault}`));
    });
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread of holidays has ended')));
    running = started;
    return started;
  }

  return {
    ask(question, ...about) {
      const {worker, asked} = running ?? start();
      const id = ++last;
      // As long as somebody waits for an answer, the process does too.
      worker.ref();
      return new Promise((resolve, reject) => {
        asked.set(id, {resolve, reject});
        worker.postMessage({id, question, about}, []);
      });
    },
    async close() {
      await running?.worker.terminate();
    },
  };
}
