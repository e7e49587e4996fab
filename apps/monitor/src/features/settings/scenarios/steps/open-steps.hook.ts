import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { ScenarioValues } from '../scenario-values.format';

type ScenarioForm = UseFormReturnType<ScenarioValues>;

/** The steps in which a field is wrong, by their ids in the form. */
export function wrongSteps({ errors, values }: ScenarioForm): ReadonlySet<string> {
  const paths = Object.keys(errors);
  const wrong = values.steps.filter((_, index) => paths.some((path) => path.startsWith(`steps.${index}.`)));
  return new Set(wrong.map(({ uid }) => uid));
}

interface OpenSteps {
  isOpen: (uid: string) => boolean;
  /** It is the only one then, beside those that are wrong. */
  open: (uid: string) => void;
  shut: (uid: string) => void;
}

/** Which steps of a scenario stand open. One opens when a fault is found in it, and does not shut while that is mended. */
export function useOpenSteps(form: ScenarioForm): OpenSteps {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState(form.errors);
  const wrong = wrongSteps(form);
  if (form.errors !== seen) {
    setSeen(form.errors);
    if (wrong.size > 0) setOpened(new Set([...opened, ...wrong]));
  }
  return {
    isOpen: (uid) => opened.has(uid),
    open: (uid) => setOpened(new Set([uid, ...wrong])),
    shut: (uid) => setOpened(new Set([...opened].filter((one) => one !== uid))),
  };
}
