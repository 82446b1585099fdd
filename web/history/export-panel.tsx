import {api, streamed} from '../api/client.ts';
import {ExportFile} from '../parts/export-file.tsx';
import {type StandupFilter, toParameters} from '../parts/standups/standup-filter.ts';
import {words} from '../words/words.ts';

/** Downloads all standups that match the filters, not only the pages shown. */
export function ExportPanel({filter}: {readonly filter: StandupFilter}) {
  const {export: texts} = words.history;
  const isFiltered = Object.keys(filter).some((one) => one !== 'order');
  return (
    <ExportFile
      name="standups"
      open={async (format, signal) => {
        const query = {...toParameters(filter), format};
        return (await api.GET('/v1/export', {params: {query}, ...streamed, signal})).data;
      }}
      text={isFiltered ? texts.filtered : texts.all}
      title={texts.heading}
    />
  );
}
