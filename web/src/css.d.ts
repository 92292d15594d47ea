// A style sheet is imported for its effect: esbuild gathers them into one file.
declare module "*.css";
