import type {Schema} from '../api/schema.ts';
import {CheckBox, CheckBoxGroup} from '../parts/check-box.tsx';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

export function OpenBlockers({
  blockers,
  resolved,
  onChange,
}: {
  readonly blockers: readonly Schema<'Blocker'>[];
  readonly resolved: readonly string[];
  readonly onChange: (resolved: readonly string[]) => void;
}) {
  if (blockers.length === 0) return null;
  return (
    <CheckBoxGroup label={texts.write.stillBlocked} onChange={onChange} value={[...resolved]}>
      {blockers.map(({id, text, created_at, acknowledged_by: helper}) => (
        <CheckBox
          hint={[
            formatTimeSince(created_at),
            ...(helper?.name ? [texts.write.acknowledgedBy({name: helper.name})] : []),
          ].join(' · ')}
          key={id}
          label={<bdi>{text}</bdi>}
          value={id}
        />
      ))}
    </CheckBoxGroup>
  );
}
