import {CheckBox, CheckBoxGroup} from '../parts/check-box.tsx';
import {MarkdownArea} from '../parts/markdown-area.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {TextArea} from '../parts/text-area.tsx';
import {TextField} from '../parts/text-field.tsx';
import {formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {Field, Format, Value} from './compose.ts';
import {MoodField} from './mood-field.tsx';
import {LinkButton} from './link-button.tsx';

interface QuestionFieldProps {
  readonly field: Field;
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly format: Format;
  readonly isPreview: boolean;
  readonly team: string | undefined;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

/** The field for a question's type. A question of an unknown type gets a text field. */
export function QuestionField({
  field,
  value,
  onChange,
  format,
  isPreview,
  team,
  hint,
  error,
}: QuestionFieldProps) {
  const {kind, label, isRequired, type, max, question} = field;
  const common = {
    label: kind === 'question' ? isolateDirection(label) : label,
    hint,
    error,
    isOptional: !isRequired,
  };
  switch (type) {
    case 'choice': {
      const options = question?.options ?? [];
      const chosen = Array.isArray(value) ? value : [];
      if (question?.multiple === true) {
        return (
          <CheckBoxGroup {...common} onChange={(all) => onChange(all)} value={chosen}>
            {options.map((option) => (
              <CheckBox key={option} label={<bdi>{option}</bdi>} value={option} />
            ))}
          </CheckBoxGroup>
        );
      }
      return (
        <ClearableField isClear={isRequired || chosen.length === 0} onClear={() => onChange([])}>
          <RadioGroup
            {...common}
            onChange={(option) => onChange([option])}
            options={options.map((option) => ({id: option, label: option}))}
            value={chosen[0] ?? null}
          />
        </ClearableField>
      );
    }
    case 'yes_no':
      return (
        <ClearableField isClear={isRequired || typeof value !== 'boolean'} onClear={() => onChange('')}>
          <RadioGroup
            {...common}
            onChange={(id) => onChange(id === 'yes')}
            options={[
              {id: 'yes', label: texts.write.yes},
              {id: 'no', label: texts.write.no},
            ]}
            orientation="horizontal"
            value={typeof value === 'boolean' ? (value ? 'yes' : 'no') : null}
          />
        </ClearableField>
      );
    case 'mood':
      return (
        <ClearableField isClear={isRequired || typeof value !== 'number'} onClear={() => onChange('')}>
          <MoodField {...common} onChange={onChange} value={typeof value === 'number' ? value : null} />
        </ClearableField>
      );
    case 'number':
      return (
        <div className="max-w-50">
          <TextField
            {...common}
            hint={hint ?? describeBounds(question?.min ?? null, question?.max ?? null)}
            inputMode="decimal"
            onChange={onChange}
            value={value === undefined ? '' : String(value)}
          />
        </div>
      );
    default: {
      const area = {
        ...common,
        limit: max,
        onChange,
        rows: field.id === 'blockers' ? 2 : 3,
        value: value === undefined ? '' : String(value),
      };
      const isFormatted = format === 'markdown' && type === 'text';
      return isFormatted ? (
        <MarkdownArea {...area} isPreview={isPreview} team={team} />
      ) : (
        <TextArea {...area} />
      );
    }
  }
}

/** Isolates a team's text, which keeps its own direction on a right-to-left page. */
function isolateDirection(label: string): string {
  return document.dir === 'rtl' ? `\u2068${label}\u2069` : label;
}

function ClearableField({
  isClear,
  onClear,
  children,
}: {
  readonly isClear: boolean;
  readonly onClear: () => void;
  readonly children: React.ReactNode;
}) {
  return (
    <div>
      {children}
      {!isClear && (
        <LinkButton isSpaced onClick={onClear}>
          {texts.write.clear}
        </LinkButton>
      )}
    </div>
  );
}

export function describeBounds(min: number | null, max: number | null): string | undefined {
  const {between, atLeast, atMost} = texts.write;
  if (min !== null && max !== null) return between({min: formatNumber(min), max: formatNumber(max)});
  if (min !== null) return atLeast({min: formatNumber(min)});
  return max === null ? undefined : atMost({max: formatNumber(max)});
}
