import { Module } from '@nestjs/common';
import { FileLinksController } from './file-links.controller';
import { MediaController } from './media.controller';
import { UploadsController } from './uploads.controller';

@Module({
  controllers: [MediaController, UploadsController, FileLinksController],
})
export class MediaModule {}
