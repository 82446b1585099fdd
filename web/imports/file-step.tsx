import {useEffect, useEffectEvent, useState} from 'react';
import {FileError} from '../../packages/import-files/src/read-csv.js';
import {buttonClass} from '../parts/button-class.ts';
import {formatSize} from '../parts/download-size.ts';
import {errorClass} from '../parts/field-classes.ts';
import {texts} from '../texts/texts.ts';
import {ArchiveError, mostBytes, openImportFile} from './read-file.ts';
import {Step} from './step.tsx';

const formats = '.csv,.tsv,.txt,.ndjson,.jsonl,.json,text/csv,application/x-ndjson';

export function FileStep({isFirst}: {readonly isFirst: boolean}) {
  const {file: t} = texts.imports;
  const [reading, setReading] = useState<string>();
  const [error, setError] = useState<string>();
  const open = async (file: File | null | undefined): Promise<void> => {
    if (file === null || file === undefined) return;
    setError(undefined);
    if (file.size > mostBytes) {
      setError(t.tooBig({size: formatSize(mostBytes)}));
      return;
    }
    setReading(file.name);
    try {
      await openImportFile(file);
    } catch (thrown) {
      setError(describeError(thrown));
    } finally {
      setReading(undefined);
    }
  };
  const isOver = useDroppedFile(open);
  return (
    <Step isFirst={isFirst} title={t.title}>
      <p>{t.text}</p>
      <label
        className="relative grid cursor-pointer justify-items-center gap-2 rounded-lg border-2 border-dashed border-edge px-4 py-8 text-center outline-focus has-focus-visible:outline-3 data-over:border-accent data-over:bg-inset"
        data-over={isOver || undefined}
      >
        <input
          accept={formats}
          aria-describedby="import-file-error"
          className="sr-only"
          onChange={({target}) => {
            void open(target.files?.[0]);
            // So that the same file can be chosen again after a change.
            target.value = '';
          }}
          type="file"
        />
        <span className={buttonClass({kind: 'first'})}>{t.choose}</span>
        <span className="text-sm text-quiet">{t.drop}</span>
      </label>
      <p className={errorClass} id="import-file-error" role="alert">
        {error}
      </p>
      <p className="text-quiet empty:hidden" dir="auto" role="status">
        {reading !== undefined && t.reading({name: reading})}
      </p>
    </Step>
  );
}

function describeError(error: unknown): string {
  const {file: t} = texts.imports;
  if (error instanceof ArchiveError) return t.archive;
  if (!(error instanceof FileError)) return t.unreadable;
  const text = t.errors[error.reason];
  return typeof text === 'string' ? text : text({line: error.line});
}

/** Takes a file that is dropped anywhere on the page: otherwise the browser would leave the page and show it. */
function useDroppedFile(open: (file: File | undefined) => unknown): boolean {
  const [isOver, setOver] = useState(false);
  const onFile = useEffectEvent(open);
  useEffect(() => {
    const ending = new AbortController();
    const {signal} = ending;
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void): void =>
      addEventListener(type, act, {signal});
    listen('dragover', (event) => {
      event.preventDefault();
      setOver(true);
    });
    listen('dragleave', ({relatedTarget}) => {
      if (relatedTarget === null) setOver(false);
    });
    listen('drop', (event) => {
      event.preventDefault();
      setOver(false);
      onFile(event.dataTransfer?.files[0]);
    });
    return () => ending.abort();
  }, []);
  return isOver;
}
