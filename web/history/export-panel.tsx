import {api, streamed} from '../api/client.ts';
import {ExportFile} from '../parts/export-file.tsx';
import {type StandupListFilter, toApiParameters} from '../parts/standups/standup-filter.ts';
import {texts} from '../texts/texts.ts';

/** Downloads all standups that match the filters, not only the pages shown. */
export function ExportPanel({filter}: {readonly filter: StandupListFilter}) {
  const {export: t} = texts.history;
  const isFiltered = Object.keys(filter).some((one) => one !== 'order');
  return (
    <ExportFile
      name="standups"
      open={async (format, signal) => {
        const query = {...toApiParameters(filter), format};
        return (await api.GET('/v1/export', {params: {query}, ...streamed, signal})).data;
      }}
      text={isFiltered ? t.filtered : t.all}
      title={t.heading}
    />
  );
}
