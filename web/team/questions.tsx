import {useEffect, useEffectEvent, useId, useRef, useState} from 'react';
import type {Team} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {bindFields} from '../parts/form.tsx';
import {Hidden} from '../parts/hidden.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {NumberField} from '../parts/number-field.tsx';
import {Select} from '../parts/select.tsx';
import {TextArea} from '../parts/text-area.tsx';
import {TextField} from '../parts/text-field.tsx';
import {texts} from '../texts/texts.ts';
import {
  areDefaultQuestions,
  listPrefillSources,
  moveItem,
  createQuestionDraft,
  type QuestionDraft,
  questionSection,
  questionTypes,
  describeQuestions,
} from './question-drafts.ts';
import {SectionForm} from './section.tsx';
import {isSameJson} from './section-state.ts';
import {TemplateChoice} from './template-choice.tsx';
import {createTemplateQuestions, questionTemplateNames} from './templates.ts';
import {useSection} from './use-section.ts';

const mostQuestions = 10;
/** The list value for “no source question”; no question has this key. */
const noSource = '-';

export function QuestionSection({team, isReadOnly}: {readonly team: Team; readonly isReadOnly: boolean}) {
  const section = useSection(team, questionSection);
  const {draft: drafts, set} = section;
  const t = texts.team.questions;
  const container = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');

  /** Focuses a button of a question again after the question has moved. */
  function focusMovedQuestion(key: string, name: string): void {
    requestAnimationFrame(() => {
      const card = container.current?.querySelector(`[data-question="${key}"]`);
      const wanted = card?.querySelector<HTMLElement>(`[data-act="${name}"] button:not(:disabled)`);
      const field = card?.querySelector<HTMLElement>('input');
      (wanted ?? field)?.focus();
    });
  }

  function move(from: number, by: 1 | -1, act?: string): void {
    const draft = drafts[from];
    if (draft === undefined || from + by < 0 || from + by >= drafts.length) return;
    set(moveItem(drafts, from, from + by));
    setSaid(t.moved({label: nameOf(draft), position: from + by + 1, of: drafts.length}));
    if (act !== undefined) focusMovedQuestion(draft.key, act);
  }

  function remove(from: number): void {
    const draft = drafts[from];
    if (draft === undefined) return;
    const next = drafts.toSpliced(from, 1);
    set(next);
    setSaid(t.removed({label: nameOf(draft)}));
    const neighbour = next[Math.min(from, next.length - 1)];
    if (neighbour !== undefined) focusMovedQuestion(neighbour.key, 'none');
  }

  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    const card = event.target instanceof Element ? event.target.closest('[data-question]') : null;
    const at = drafts.findIndex(({key}) => key === card?.getAttribute('data-question'));
    if (at < 0) return;
    event.preventDefault();
    move(at, event.key === 'ArrowUp' ? -1 : 1);
  });
  useEffect(() => {
    const list = container.current;
    const listen = (event: KeyboardEvent): void => onKey(event);
    // Listens in the capture phase, before a field such as a list handles the key.
    list?.addEventListener('keydown', listen, true);
    return () => list?.removeEventListener('keydown', listen, true);
  }, []);

  return (
    <SectionForm
      anchor="questions"
      hint={t.hint}
      isReadOnly={isReadOnly}
      section={section}
      describe={describeQuestions}
      title={t.title}
    >
      <TemplateChoice
        isChosen={(name) => isSameJson(drafts, createTemplateQuestions(name))}
        label={t.startFrom}
        labels={t.templateNames}
        names={questionTemplateNames}
        onChoose={(name) => set(createTemplateQuestions(name))}
      />
      {(drafts.length === 0 || areDefaultQuestions(drafts)) && <p>{t.none}</p>}
      <ol className="grid min-w-0 gap-3 empty:hidden" ref={container}>
        {drafts.map((draft, at) => (
          <QuestionCard
            at={at}
            draft={draft}
            drafts={drafts}
            key={draft.key}
            onChange={(change) => set(drafts.with(at, {...draft, ...change}))}
            onMove={(by, act) => move(at, by, act)}
            onRemove={() => remove(at)}
          />
        ))}
      </ol>
      <Hidden>
        <span role="status">{said}</span>
      </Hidden>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          icon="plus"
          isDisabled={drafts.length >= mostQuestions}
          onPress={() => {
            const made = createQuestionDraft(drafts);
            set([...drafts, made]);
            focusMovedQuestion(made.key, 'none');
          }}
          size="small"
        >
          {t.add}
        </Button>
        <span className="text-xs text-quiet">
          {drafts.length >= mostQuestions ? t.most({most: mostQuestions}) : drafts.length > 1 && t.keys}
        </span>
      </div>
    </SectionForm>
  );
}

interface QuestionCardProps {
  readonly draft: QuestionDraft;
  readonly drafts: readonly QuestionDraft[];
  readonly at: number;
  readonly onChange: (change: Partial<QuestionDraft>) => void;
  /** Moves the question by one position. `act`: the name of the button pressed. */
  readonly onMove: (by: 1 | -1, act: string) => void;
  readonly onRemove: () => void;
}

function QuestionCard({draft, drafts, at, onChange, onMove, onRemove}: QuestionCardProps) {
  const of = drafts.length;
  const t = texts.team.questions;
  const id = useId();
  const name = nameOf(draft);
  const {field, check} = bindFields(draft, onChange);
  return (
    <li
      aria-labelledby={id}
      className="grid min-w-0 gap-3 rounded-lg border border-line px-3 pt-2 pb-3"
      data-question={draft.key}
    >
      <div className="flex items-center">
        <span className="flex-1 text-xs text-quiet" id={id}>
          {t.card({position: at + 1, of})}
        </span>
        <span data-act="up">
          <IconButton
            icon="chevron-up"
            isDisabled={at === 0}
            label={t.up({label: name})}
            onPress={() => onMove(-1, at === 1 ? 'down' : 'up')}
          />
        </span>
        <span data-act="down">
          <IconButton
            icon="chevron-down"
            isDisabled={at === of - 1}
            label={t.down({label: name})}
            onPress={() => onMove(1, at === of - 2 ? 'up' : 'down')}
          />
        </span>
        <IconButton icon="trash" label={t.remove({label: name})} onPress={onRemove} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(160px,100%),1fr))] gap-3">
        <TextField {...field('label', `questions/${at}/label`)} label={t.label} maxLength={150} />
        <Select
          {...field('type', `questions/${at}/type`)}
          label={t.type}
          options={questionTypes.map((type) => ({id: type, label: t.types[type]}))}
        />
      </div>
      <TypeFields at={at} draft={draft} drafts={drafts} onChange={onChange} />
      <CheckBox {...check('required', `questions/${at}/required`)} label={t.required} />
    </li>
  );
}

/** Shows the fields that only one question type has. */
function TypeFields({
  draft,
  drafts,
  at,
  onChange,
}: Pick<QuestionCardProps, 'draft' | 'drafts' | 'at' | 'onChange'>) {
  const t = texts.team.questions;
  const {field, check} = bindFields(draft, onChange);
  if (draft.type === 'text') {
    const sources = listPrefillSources(drafts);
    return (
      <>
        <Select
          hint={t.fillHint}
          label={t.fill}
          name={`questions/${at}/fill_from`}
          onChange={(from) => onChange({fillFrom: from === noSource ? null : from})}
          options={[
            {id: noSource, label: t.fillNone},
            ...sources.map((one) => ({id: one.key, label: nameOf(one)})),
          ]}
          value={sources.find(({key}) => key === draft.fillFrom)?.key ?? noSource}
        />
        <CheckBox
          {...check('raisesBlocker', `questions/${at}/raises_blocker`)}
          hint={t.blockerHint}
          label={t.blocker}
        />
      </>
    );
  }
  if (draft.type === 'choice') {
    return (
      <>
        <TextArea {...field('options', `questions/${at}/options`)} label={t.options} />
        <CheckBox {...check('multiple', `questions/${at}/multiple`)} label={t.multiple} />
      </>
    );
  }
  if (draft.type !== 'number') return null;
  const numberOf = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(160px,100%),1fr))] gap-3">
      <NumberField
        isOptional
        label={t.min}
        name={`questions/${at}/min`}
        onChange={(min) => onChange({min: numberOf(min)})}
        value={draft.min ?? Number.NaN}
      />
      <NumberField
        isOptional
        label={t.max}
        name={`questions/${at}/max`}
        onChange={(max) => onChange({max: numberOf(max)})}
        value={draft.max ?? Number.NaN}
      />
    </div>
  );
}

function nameOf({label}: QuestionDraft): string {
  return label.trim() === '' ? texts.team.questions.unnamed : label;
}
