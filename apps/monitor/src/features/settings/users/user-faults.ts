import { ApiError } from '@app/client/api.errors';
import type { UseFormReturnType } from '@mantine/form';
import type { RefObject } from 'react';
import { focusFirstError } from '../parts/forms/save.hook';
import type { UserForm } from './user-form.format';
import { userWords } from './user.words';

/** Refusals that are about one field are shown there too. */
export async function atTheirFields<Result>(
  form: UseFormReturnType<UserForm>,
  formRef: RefObject<HTMLFormElement | null>,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'EMAIL_TAKEN') form.setFieldError('email', userWords.say('emailTaken'));
    if (code === 'LAST_ADMIN') form.setFieldError('role', userWords.say('lastAdmin'));
    if (code === 'EMAIL_TAKEN' || code === 'LAST_ADMIN') focusFirstError(formRef.current);
    throw error;
  }
}
