import {readStream} from '../api/read.ts';
import {ExportFile} from '../parts/export-file.tsx';
import {type StandupListFilter, toApiParameters} from '../parts/standups/standup-filter.ts';
import {texts} from '../texts/texts.ts';

export function ExportPanel({filter}: {readonly filter: StandupListFilter}) {
  const {export: t} = texts.history;
  const isFiltered = Object.keys(filter).some((one) => one !== 'order');
  return (
    <ExportFile
      name="standups"
      open={(format, signal) => readStream('/v1/export', {...toApiParameters(filter), format}, signal)}
      text={isFiltered ? t.filtered : t.all}
      title={t.heading}
    />
  );
}
