import { demoId } from '@app/contracts/demo-ids';
import { MEDIA_KINDS, MEDIA_STATES, TRANSCRIPT_STATES } from '@app/contracts/media.words';
import { ApiProperty } from '../docs/openapi.decorator';

const EXAMPLE_ID = demoId('media', 1);

export class TranscriptAnswer {
  @ApiProperty({
    enum: TRANSCRIPT_STATES,
    example: 'ready',
    description:
      '`pending` until it is made, then `ready`; `failed` where that failed; `none` where nothing is said, the audio is too long or too large, or nothing transcribes it',
  })
  state: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Сколько стоит доставка в Алматы?',
    description: 'What is said; null unless it is ready',
  })
  text: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ru',
    description: 'By ISO 639-1; null where it is not known',
  })
  language: string | null;
}

export class MediaAnswer {
  @ApiProperty({ example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ enum: MEDIA_KINDS })
  kind: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'image/jpeg',
    description: 'By the bytes of the file; until it is stored, what the provider says',
  })
  mime_type: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  file_name: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 48_213, description: 'In bytes' })
  size: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 1280,
    description: 'In pixels, of images and MP4',
  })
  width: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 960 })
  height: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'Of audio and video, where known',
  })
  seconds: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    description: 'Of the bytes, in hexadecimal digits',
  })
  sha256: string | null;

  @ApiProperty({
    enum: MEDIA_STATES,
    description: 'A file that a customer sent is `loading` until it is fetched from the provider',
  })
  state: string;

  @ApiProperty({
    type: () => TranscriptAnswer,
    nullable: true,
    example: null,
    description: 'Of the audio of a customer; null of everything else',
  })
  transcript: TranscriptAnswer | null;

  @ApiProperty({
    example: `/api/v1/messages/media/${EXAMPLE_ID}`,
    description: 'Where it is read, relative to the service',
  })
  url: string;
}
