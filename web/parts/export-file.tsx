import {type ReactNode, useId, useState} from 'react';
import {dateInZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Card} from './card.tsx';
import {DownloadButton} from './download-status.tsx';
import {formatSize} from './download-size.ts';
import {mostInMemory, canStreamToFile} from './download.ts';

const formats = {csv: 'text/csv', ndjson: 'application/x-ndjson'} as const;
export type ExportFormat = keyof typeof formats;

/** Downloads a list of any length as a file, shows the progress, and can be cancelled. */
export function ExportFile({
  title,
  text,
  name,
  isReady = true,
  open,
  children,
}: {
  readonly title: string;
  readonly text?: string | undefined;
  readonly name: string;
  readonly isReady?: boolean | undefined;
  readonly open: (format: ExportFormat, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  /** Form fields that choose the rows of the file. */
  readonly children?: ReactNode;
}) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const group = useId();
  const {export: t} = texts.history;
  return (
    <Card label={title}>
      <div className="grid gap-3">
        <h2>{title}</h2>
        {text !== undefined && <p>{text}</p>}
        {children}
        <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
          <legend className="text-sm font-medium">{t.format}</legend>
          {(['csv', 'ndjson'] as const).map((one) => (
            <label className="flex min-h-row items-center gap-2" key={one}>
              <input
                checked={format === one}
                className="size-4.5 accent-accent"
                name={group}
                onChange={() => setFormat(one)}
                type="radio"
              />
              {t[one]}
            </label>
          ))}
        </fieldset>
        <p className="text-xs text-quiet">
          {canStreamToFile() ? t.streams : t.bound({size: formatSize(mostInMemory)})}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <DownloadButton
            cancel={t.cancel}
            file={{
              name: `${name}-${dateInZone(Date.now())}.${format}`,
              type: formats[format],
              open: (signal) => open(format, signal),
            }}
            isDisabled={!isReady}
            kind="first"
            label={t.start}
          />
        </div>
      </div>
    </Card>
  );
}
