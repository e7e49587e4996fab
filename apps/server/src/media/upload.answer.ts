import { MediaAnswer } from '../http/dto/media.answer';
import { ApiProperty } from '../http/docs/openapi.decorator';

export class UploadAnswer {
  @ApiProperty({ type: MediaAnswer })
  media: MediaAnswer;
}
