import {newKey} from '../api/new-key.ts';
import {Button} from '../parts/button.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {TextField} from '../parts/text-field.tsx';
import {texts} from '../texts/texts.ts';
import type {HeaderRow} from './draft.ts';
import type {WebhookFieldsProps} from './fields.tsx';
import {Hint} from './hint.tsx';

/** Maximum number of custom headers that the service accepts. */
const mostHeaders = 10;

/** Fields for custom headers, whose values are credentials and exist only in the page's memory. */
export function HeaderFields({draft, values, onChange, problem, isAsked}: WebhookFieldsProps) {
  const t = texts.webhookChanges.fields;
  const {headers} = draft;
  const put = (row: HeaderRow): void =>
    onChange({headers: headers.map((one) => (one.id === row.id ? row : one))});
  const errorOf = ({id, name, isKept}: HeaderRow): string | undefined => {
    const isMissing = name.trim() === '' || (!isKept && (values[id] ?? '') === '');
    if (isAsked && isMissing) return t.headerMissing;
    return problem?.errors.find(
      ({pointer}) => pointer?.toLowerCase() === `#/headers/${encodeURIComponent(name.trim())}`.toLowerCase(),
    )?.detail;
  };
  const general = problem?.errors.find(({pointer}) => pointer === '#/headers')?.detail;
  return (
    <fieldset className="grid min-w-0 justify-items-start gap-2">
      <legend className="pb-1 text-sm font-medium">{t.headers}</legend>
      <Hint>{t.headersHint}</Hint>
      {headers.map((row) => (
        <div
          className="grid w-full grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-2 max-[480px]:grid-cols-[minmax(0,1fr)_auto] max-[480px]:*:first:col-span-full"
          key={row.id}
        >
          <TextField
            autoComplete="off"
            error={row.isKept ? undefined : errorOf(row)}
            isReadOnly={row.isKept}
            label={t.headerName}
            onChange={(name) => put({...row, name})}
            spellCheck="false"
            value={row.name}
          />
          {row.isKept ? (
            <div className="grid justify-items-start gap-1 pt-1">
              <Hint>{t.headerKept}</Hint>
              <Button onPress={() => put({...row, isKept: false})} size="small">
                {t.headerReplace}
              </Button>
            </div>
          ) : (
            <TextField
              autoComplete="off"
              label={t.headerValue}
              onChange={(value) => onChange({}, {...values, [row.id]: value})}
              spellCheck="false"
              value={values[row.id] ?? ''}
            />
          )}
          <div className="flex pt-6">
            <IconButton
              icon="trash"
              label={t.headerRemove({name: row.name})}
              onPress={() => onChange({headers: headers.filter(({id}) => id !== row.id)})}
            />
          </div>
        </div>
      ))}
      {general !== undefined && (
        <p className="text-xs font-medium text-pretty text-missed" role="alert">
          {general}
        </p>
      )}
      {headers.length < mostHeaders && (
        <Button
          icon="plus"
          onPress={() => onChange({headers: [...headers, {id: newKey(), name: '', isKept: false}]})}
          size="small"
        >
          {t.headerAdd}
        </Button>
      )}
    </fieldset>
  );
}
