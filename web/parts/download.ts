import {useEffect, useRef, useState} from 'react';
import {noAnswer, Problem} from '../api/problem.ts';

/** Maximum size (bytes) in a browser that cannot stream to a file and keeps all data in memory. */
export const mostInMemory = 200_000_000;

export interface DownloadedFile {
  readonly name: string;
  readonly type: string;
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null | undefined>;
}

export type DownloadState =
  | {readonly kind: 'idle' | 'cancelled' | 'too-big'}
  | {readonly kind: 'running' | 'done'; readonly bytes: number}
  | {readonly kind: 'failed'; readonly problem: Problem};

/** The file picker of Chromium, which other browsers lack. */
interface FilePicker {
  showSaveFilePicker?: (options: {suggestedName: string}) => Promise<{
    createWritable: () => Promise<WritableStream<Uint8Array>>;
  }>;
}

/** Whether this browser can stream a download to a file. */
export function canStreamToFile(): boolean {
  return (globalThis as FilePicker).showSaveFilePicker !== undefined;
}

/** Downloads a file of any length that needs a token. The download stops when the page is left. */
export function useDownload(): {
  readonly state: DownloadState;
  readonly run: (file: DownloadedFile) => Promise<void>;
  readonly cancel: () => void;
} {
  const [state, setState] = useState<DownloadState>({kind: 'idle'});
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const cancel = (): void => ending.current?.abort();
  const run = async (file: DownloadedFile): Promise<void> => {
    cancel();
    const own = new AbortController();
    ending.current = own;
    try {
      setState(await saveDownload(file, own.signal, (bytes) => setState({kind: 'running', bytes})));
    } catch (error) {
      if (own.signal.aborted) setState({kind: 'cancelled'});
      else
        setState({kind: 'failed', problem: error instanceof Problem ? error : toConnectionCutProblem(error)});
    }
  };
  return {state, run, cancel};
}

async function saveDownload(
  {name, type, open}: DownloadedFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<DownloadState> {
  const target = await chooseFile(name);
  if (target === 'none') return {kind: 'cancelled'};
  onBytes(0);
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    // Excel reads a CSV file as UTF-8 only when it begins with a byte order mark.
    start: (controller) => {
      if (type === 'text/csv') controller.enqueue(new TextEncoder().encode('\uFEFF'));
    },
    transform(chunk, controller) {
      bytes += chunk.length;
      onBytes(bytes);
      if (target === undefined && bytes > mostInMemory) controller.error(tooBig);
      else controller.enqueue(chunk);
    },
  });
  try {
    const content = (await open(signal)) ?? new Blob().stream();
    const counted = content.pipeThrough(counting, {signal});
    if (target === undefined)
      saveBlob(name, await new Response(counted, {headers: {'Content-Type': type}}).blob());
    else await counted.pipeTo(target);
  } catch (error) {
    if (error === tooBig) return {kind: 'too-big'};
    await target?.abort().catch(() => undefined);
    throw error;
  }
  return {kind: 'done', bytes};
}

const tooBig = new Error('more than fits in memory');

/** Asks for a file to write; undefined without a file picker, `none` when the person has cancelled. */
async function chooseFile(name: string): Promise<WritableStream<Uint8Array> | 'none' | undefined> {
  try {
    const file = await (globalThis as FilePicker).showSaveFilePicker?.({suggestedName: name});
    return await file?.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'none';
    return undefined;
  }
}

function saveBlob(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // After a minute the browser has started the download and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Describes a cut connection: the service cuts it if the download fails after it has begun. */
function toConnectionCutProblem(cause: unknown): Problem {
  const said = {
    status: 0,
    code: noAnswer,
    title: 'No answer',
    detail: 'The connection was cut before the end.',
  };
  return new Problem(said, {cause});
}
