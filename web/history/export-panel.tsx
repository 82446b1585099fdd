import {useId, useState} from 'react';
import {api, streamed} from '../api/client.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {DownloadStatus} from '../parts/download-status.tsx';
import {useDownload, writesToFile} from '../parts/download.ts';
import {formatSize} from '../parts/download-size.ts';
import {mostInMemory} from '../parts/download.ts';
import {type StandupFilter, toParameters} from '../parts/standups/standup-filter.ts';
import {dayOf} from '../words/format.ts';
import {words} from '../words/words.ts';
import styles from './export-panel.module.css';

const formats = {csv: 'text/csv', ndjson: 'application/x-ndjson'} as const;
type Format = keyof typeof formats;

/** Downloads what the filters show, all pages of it. */
export function ExportPanel({filter}: {readonly filter: StandupFilter}) {
  const [format, setFormat] = useState<Format>('csv');
  const {state, run, cancel} = useDownload();
  const name = useId();
  const {export: texts} = words.history;
  const isFiltered = Object.keys(filter).some((one) => one !== 'order');
  const start = (): void => {
    const query = {...toParameters(filter), format};
    void run({
      name: `standups-${dayOf(Date.now())}.${format}`,
      type: formats[format],
      open: async (signal) => {
        const {data} = await api.GET('/v1/export', {params: {query}, ...streamed, signal});
        return data ?? new Blob().stream();
      },
    });
  };
  return (
    <Card label={texts.heading}>
      <div className={styles['panel']}>
        <h2>{texts.heading}</h2>
        <p>{isFiltered ? texts.filtered : texts.all}</p>
        <fieldset className={styles['formats']}>
          <legend>{texts.format}</legend>
          {(['csv', 'ndjson'] as const).map((one) => (
            <label className={styles['format']} key={one}>
              <input checked={format === one} name={name} onChange={() => setFormat(one)} type="radio" />
              {texts[one]}
            </label>
          ))}
        </fieldset>
        <p className={styles['quiet']}>
          {writesToFile() ? texts.streams : texts.bound(formatSize(mostInMemory))}
        </p>
        <div className={styles['foot']}>
          {state.kind === 'running' ? (
            <Button onPress={cancel}>{texts.cancel}</Button>
          ) : (
            <Button icon="download" kind="first" onPress={start}>
              {texts.start}
            </Button>
          )}
          <DownloadStatus onRetry={start} state={state} />
        </div>
      </div>
    </Card>
  );
}
