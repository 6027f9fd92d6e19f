import "../look/look.css";
import { mount } from "svelte";
import { forPatrons } from "../catalogue/for_patrons";
import { words } from "../words/words.svelte";
import BoardPage from "./BoardPage.svelte";

await words.open(forPatrons, "window_board");
mount(BoardPage, { target: document.body });
