import {TextField} from '../parts/text-field.tsx';
import {texts} from '../texts/texts.ts';
import {isSource} from './columns.ts';
import {changeSettings} from './setup.ts';

export function SourceField({source}: {readonly source: string}) {
  const {columns: t} = texts.imports;
  return (
    <TextField
      autoComplete="off"
      error={isSource(source) ? undefined : t.sourceError}
      hint={t.sourceHint}
      label={t.source}
      maxLength={40}
      onChange={(name) => changeSettings({source: name})}
      spellCheck="false"
      value={source}
    />
  );
}
