import type {Team} from '../api/schema.ts';
import {ComboBox} from '../parts/combo-box.tsx';
import {bindFields} from '../parts/form.tsx';
import {TextField} from '../parts/text-field.tsx';
import {listZones} from '../parts/zones.ts';
import {texts} from '../texts/texts.ts';
import {SectionForm} from './section.tsx';
import {createFieldSection, useSection} from './use-section.ts';

const general = createFieldSection('general', ['name', 'timezone']);

export function GeneralSection({team, isReadOnly}: {readonly team: Team; readonly isReadOnly: boolean}) {
  const section = useSection(team, general);
  const {draft, change} = section;
  const {field} = bindFields(draft, change);
  const t = texts.team.general;
  return (
    <SectionForm
      isReadOnly={isReadOnly}
      section={section}
      describe={({name, timezone}) => [
        [t.name, name],
        [t.slug, team.slug],
        [t.zone, timezone],
      ]}
      title={t.title}
    >
      <TextField {...field('name')} label={t.name} maxLength={80} />
      <TextField hint={t.slugHint} isReadOnly label={t.slug} value={team.slug} />
      <ComboBox
        hint={t.zoneHint}
        label={t.zone}
        name="timezone"
        onChange={(timezone) => timezone !== null && change({timezone})}
        options={listZones(draft.timezone)}
        value={draft.timezone}
      />
    </SectionForm>
  );
}
