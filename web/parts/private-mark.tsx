/** A lock beside the name of a private team. It is not in `icon.tsx`, since the first paint has no such team. */
export function PrivateMark({label}: {readonly label: string}) {
  return (
    <svg
      aria-label={label}
      className="inline-block flex-none fill-none stroke-current align-[-0.2em]"
      height={16}
      role="img"
      strokeLinecap="round"
      strokeLinejoin="round"
      viewBox="0 0 24 24"
      width={16}
    >
      <title>{label}</title>
      <path d="M6.5 10.5h11v9h-11zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5" strokeWidth={2.1} />
    </svg>
  );
}
