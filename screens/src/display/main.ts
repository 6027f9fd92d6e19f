import "../look/look.css";
import { mount } from "svelte";
import { forPatrons } from "../catalogue/for_patrons";
import { words } from "../words/words.svelte";
import DisplayPage from "./DisplayPage.svelte";

await words.open(forPatrons, "window_display");
mount(DisplayPage, { target: document.body });
