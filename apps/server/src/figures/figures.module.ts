import { Module } from '@nestjs/common';
import { FunnelFiguresController } from './funnel-figures.controller';
import { TemplateFiguresController } from './template-figures.controller';

@Module({ controllers: [FunnelFiguresController, TemplateFiguresController] })
export class FiguresModule {}
