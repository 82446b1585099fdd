import {Button} from '../parts/button.tsx';

interface TemplateChoiceProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly isChosen: (name: Name) => boolean;
  readonly onChoose: (name: Name) => void;
}

/** Buttons that fill a section with a template. The person looks at it, and saves. */
export function TemplateChoice<Name extends string>(props: TemplateChoiceProps<Name>) {
  const {label, names, labels, isChosen, onChoose} = props;
  return (
    <div aria-label={label} className="flex flex-wrap items-center gap-2" role="group">
      <span className="text-xs text-quiet">{label}</span>
      {names.map((name) => (
        <Button aria-pressed={isChosen(name)} key={name} onPress={() => onChoose(name)} size="small">
          {labels[name]}
        </Button>
      ))}
    </div>
  );
}
