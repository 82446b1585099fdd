import {useQuery} from '@tanstack/react-query';
import type {Schema, Team} from '../api/schema.ts';
import {bindFields} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {texts} from '../texts/texts.ts';
import {describeReaders} from './describe-readers.ts';
import {readersQuery} from './queries.ts';
import {SectionForm} from './section.tsx';
import {createFieldSection, useSection} from './use-section.ts';

const visibility = createFieldSection('visibility', ['visibility']);

export function VisibilitySection({team, isReadOnly}: {readonly team: Team; readonly isReadOnly: boolean}) {
  const section = useSection(team, visibility);
  const {field} = bindFields(section.draft, section.change);
  const t = texts.team.visibility;
  return (
    <SectionForm
      isReadOnly={isReadOnly}
      section={section}
      describe={(draft) => [[t.readers, t.kinds[draft.visibility]]]}
      title={t.title}
    >
      <RadioGroup
        {...field('visibility')}
        label={t.readers}
        options={(['open', 'private'] as const).map((id) => ({id, label: t.kinds[id]}))}
      />
      {section.isChanged && <Effect team={team} to={section.draft.visibility} />}
    </SectionForm>
  );
}

/** Says what the change does, before it is saved. */
function Effect({team, to}: {readonly team: Team; readonly to: Schema<'Team'>['visibility']}) {
  const {data: readers, error, refetch} = useQuery(readersQuery(team.slug));
  if (error !== null) return <ProblemNote onRetry={refetch} problem={error} />;
  if (readers === undefined) return <Skeleton lines={3} />;
  return (
    <div role="status">
      <ul className="grid list-disc gap-1 ps-5">
        {describeReaders(readers, to).map((sentence) => (
          <li dir="auto" key={sentence}>
            {sentence}
          </li>
        ))}
      </ul>
    </div>
  );
}
