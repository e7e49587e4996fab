import { FileInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { uploadFile } from '../../../shared/api/upload-call';
import { explain } from '../../../shared/words/error.words';
import type { TemplateForm } from './template.rules';
import { templateWords } from './template.words';

/** What Meta takes as a sample. */
const TYPES = { image: 'image/jpeg,image/png', video: 'video/mp4', document: 'application/pdf' } as const;

interface Props {
  form: UseFormReturnType<TemplateForm>;
  format: keyof typeof TYPES;
}

/** The file by which WhatsApp judges a header: uploaded here, or at Gupshup named by its handle. */
export function SampleFile({ form, format }: Props) {
  const t = templateWords.use();
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const { number, headerMediaId } = form.getValues();
  if (number.endsWith(' waba'))
    return <TextInput label={t('headerHandle')} {...form.getInputProps('headerExample')} />;
  const choose = async (chosen: File | null): Promise<void> => {
    setFile(chosen);
    form.setFieldValue('headerMediaId', '');
    form.clearFieldError('headerExample');
    if (!chosen) return;
    setShare(0);
    try {
      const { id } = await uploadFile(chosen, setShare).done;
      form.setFieldValue('headerMediaId', id);
      form.setFieldValue('headerExample', '');
    } catch (error) {
      setFile(null);
      form.setFieldError('headerExample', explain(error));
    } finally {
      setShare(null);
    }
  };
  return (
    <FileInput
      label={t('sampleFile')}
      description={
        share === null ? t('sampleFileHint') : t('sampleUploading', { share: Math.round(share * 100) })
      }
      placeholder={headerMediaId === '' ? t('sampleNone') : t('sampleKept')}
      accept={TYPES[format]}
      clearable
      disabled={share !== null}
      value={file}
      error={form.errors.headerExample}
      onChange={(chosen) => void choose(chosen)}
    />
  );
}
