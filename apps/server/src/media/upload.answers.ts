import { MediaAnswer } from '../http/media.answer';
import { ApiProperty } from '../http/openapi.decorators';

export class UploadAnswer {
  @ApiProperty({ type: MediaAnswer })
  media: MediaAnswer;
}
