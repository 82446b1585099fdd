import type {Team} from '../api/schema.ts';
import {bindFields} from '../parts/form.tsx';
import {NumberField} from '../parts/number-field.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {texts} from '../texts/texts.ts';
import {SectionForm} from './section.tsx';
import {type SectionOf, useSection} from './use-section.ts';

interface LateFields {
  readonly accept: 'always' | 'never' | 'until';
  readonly minutes: number;
}

const longest = 7 * 24 * 60;
const usual = 120;

const late: SectionOf<LateFields> = {
  name: 'late',
  read: ({late_policy: policy}) => ({
    accept: policy.accept,
    minutes: policy.accept === 'until' ? policy.minutes : usual,
  }),
  write: ({accept, minutes}) => ({late_policy: accept === 'until' ? {accept, minutes} : {accept}}),
};

export function LateSection({team, isReadOnly}: {readonly team: Team; readonly isReadOnly: boolean}) {
  const section = useSection(team, late);
  const {draft, change} = section;
  const {field} = bindFields(draft, change);
  const t = texts.team.late;
  return (
    <SectionForm
      hint={t.hint}
      isReadOnly={isReadOnly}
      section={section}
      describe={({accept, minutes}) => [
        [t.accept, accept === 'until' ? t.until({minutes}) : t.accepts[accept]],
      ]}
      title={t.title}
    >
      <RadioGroup
        {...field('accept', 'late_policy/accept')}
        label={t.accept}
        options={(['always', 'until', 'never'] as const).map((id) => ({id, label: t.accepts[id]}))}
      />
      {draft.accept === 'until' && (
        <NumberField
          label={t.minutes}
          maxValue={longest}
          minValue={1}
          name="late_policy/minutes"
          onChange={(minutes) => Number.isFinite(minutes) && change({minutes})}
          value={draft.minutes}
        />
      )}
    </SectionForm>
  );
}
